import { useEffect } from "react";

const APPLE = /Mac|iPhone|iPad/;

/** The keys that open search, as this system names them. */
export function searchKeys(): readonly string[] {
  return APPLE.test(navigator.userAgent) ? ["⌘", "K"] : ["Ctrl", "K"];
}

/** The keys that begin a conversation, as this system names them. */
export function askKeys(): readonly string[] {
  return APPLE.test(navigator.userAgent) ? ["⌘", "⇧", "O"] : ["Ctrl", "⇧", "O"];
}

/** Calls `ask` on Ctrl+Shift+O or Cmd+Shift+O, wherever focus is. */
export function useAskKey(ask: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const held = (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey;
      if (event.key.toLowerCase() !== "o" || !held) return;
      event.preventDefault();
      ask();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [ask]);
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
