import { useRef } from "react";

/** What a person was at last: what is chosen in a menu is gone with it, but the button that opened it stays. */
let held: HTMLElement | null = null;

function note(event: FocusEvent): void {
  if (!(event.target instanceof HTMLElement)) return;
  const menu = event.target.closest('[role="menu"]');
  held = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : event.target;
}

if (typeof document !== "undefined") document.addEventListener("focusin", note);

/** Gives focus back to what had it: dialogs open by state or by an address, so Radix knows of no button that did. */
export function useFocusBack() {
  const before = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = held;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current?.isConnected && document.activeElement === document.body) before.current.focus();
    },
  };
}
