import { type RefObject, useEffect, useRef } from "react";

/** Milliseconds after which a list that follows its end has come to rest. */
const SETTLED = 80;
/** Pixels from the end within which a reader counts as being there. */
const NEAR_END = 120;

/**
 * Leads the reader to the beginning of something long that has just appeared at the end of a conversation: the list
 * itself would show its end. Whoever reads elsewhere stays there. appears: it does so now.
 */
export function useBeginningInView(element: RefObject<HTMLElement | null>, appears: boolean, always = false): void {
  const before = useRef(appears);
  useEffect(() => {
    const news = appears && !before.current;
    before.current = appears;
    const scroller = element.current?.closest(".list-scroller");
    if (!news || !scroller) return undefined;
    const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    if (!always && left > NEAR_END + (element.current?.offsetHeight ?? 0)) return undefined;
    const timer = setTimeout(() => element.current?.scrollIntoView({ block: "start" }), SETTLED);
    return () => clearTimeout(timer);
  }, [element, appears, always]);
}
