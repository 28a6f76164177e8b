import { type RefObject, useLayoutEffect } from "react";

/** Pixels that the panel keeps from the edges of what scrolls. */
const MARGIN = 16;

/** Where the top of a panel comes to rest after the page was scrolled by `moved`: it goes along until its end is in sight. */
export function restAt(top: number, moved: number, panel: number, frame: number): number {
  return Math.min(MARGIN, Math.max(Math.min(MARGIN, frame - panel - MARGIN), top - moved));
}

/**
 * Keeps a panel in sight beside a long list without a scroll bar of its own: where it is higher than the window, it goes
 * along with the page in either direction until its end, or its beginning, is in sight.
 */
export function useGoingAlong(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = panel.current;
    const scroller = element?.closest<HTMLElement>(".shell-main") ?? null;
    if (element === null || scroller === null) return undefined;
    let top = MARGIN;
    let before = scroller.scrollTop;
    const follow = () => {
      top = restAt(top, scroller.scrollTop - before, element.offsetHeight, scroller.clientHeight);
      before = scroller.scrollTop;
      element.style.setProperty("--panel-top", `${top}px`);
    };
    scroller.addEventListener("scroll", follow, { passive: true });
    return () => scroller.removeEventListener("scroll", follow);
  }, [panel]);
}
