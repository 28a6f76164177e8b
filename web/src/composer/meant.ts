import { useEffect, useRef } from "react";

/** Milliseconds in which a press is not meant for a button: it appears where another one was under the pointer. */
const NOT_MEANT = 600;

/** What a button that appears by itself does on a press, once a press can be meant for it. */
export function useMeant(act: () => void): () => void {
  const since = useRef(Infinity);
  useEffect(() => {
    since.current = performance.now();
  }, []);
  return () => {
    if (performance.now() - since.current >= NOT_MEANT) act();
  };
}
