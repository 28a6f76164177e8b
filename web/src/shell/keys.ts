import { useEffect } from "react";

const APPLE = /Mac|iPhone|iPad/;

/** The keys that open search, as this system names them. */
export function searchKeys(): readonly string[] {
  return APPLE.test(navigator.userAgent) ? ["⌘", "K"] : ["Ctrl", "K"];
}

/** Calls `open` on Ctrl+K or Cmd+K, wherever focus is. */
export function useSearchKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const plain = !event.shiftKey && !event.altKey;
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || !plain) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [open]);
}
