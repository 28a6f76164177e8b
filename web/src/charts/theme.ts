import { useSyncExternalStore } from "react";

const DARK = "(prefers-color-scheme: dark)";

/** The theme as far as it changes colours: what was chosen, and what the system wants. */
function look(): string {
  return `${document.documentElement.dataset.theme ?? "system"} ${matchMedia(DARK).matches ? "dark" : "light"}`;
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const system = matchMedia(DARK);
  system.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", listener);
  };
}

/** A text that is another one whenever colours change, so that plots are drawn anew. */
export function useLook(): string {
  return useSyncExternalStore(subscribe, look);
}
