import { useSyncExternalStore } from "react";

const PAPER = "print";
let begun = false;

function subscribe(listener: () => void): () => void {
  const leave = new AbortController();
  const query = matchMedia(PAPER);
  const note = (now: boolean) => () => {
    begun = now;
    listener();
  };
  // Browsers tell of the paper before they lay out for it by an event, and only some by the query as well.
  window.addEventListener("beforeprint", note(true), { signal: leave.signal });
  window.addEventListener("afterprint", note(false), { signal: leave.signal });
  query.addEventListener("change", listener, { signal: leave.signal });
  return () => leave.abort();
}

/** Whether the page is laid out for paper just now. */
export function isOnPaper(): boolean {
  return begun || matchMedia(PAPER).matches;
}

/** Whether the page is being printed: then everything is in it, and not only what is near the reader. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, isOnPaper);
}
