import { useVirtualizer } from "@tanstack/react-virtual";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Asked } from "../../claim/Claim";
import { en } from "../../strings/en";
import { Icon } from "../../ui/icons";
import { VisuallyHidden } from "../../ui/words";
import type { Entry } from "./corrections";
import { placeWords, useProjectNames } from "./places";
import { saidWords, Use } from "./provenance";
import { shown } from "../../markdown/text";

/** Pixels of a row before it is measured. */
const ROW_HEIGHT = 84;
/** Rows drawn beyond what is in sight, so that the tab key finds the next one. */
const OVERSCAN = 10;

interface RowsProps {
  items: readonly Entry[];
  total: number;
  /** The one that is shown beside the list. */
  open: string | null;
  onEnd: (() => void) | undefined;
}

/** The rows of the list. They scroll with the page, and only those in sight are drawn. */
export function Rows({ items, total, open, onEnd }: RowsProps) {
  const frame = useRef<HTMLUListElement>(null);
  const { scroller, above } = useScroller(frame);
  const projects = useProjectNames();
  // The app is built without React's compiler, which would have to leave this component alone.
  // eslint-disable-next-line react-hooks/incompatible-library
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (at) => items[at]?.correction.id ?? at,
    scrollMargin: above,
    overscan: OVERSCAN,
  });
  const drawn = list.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - 1) onEnd?.();
  }, [last, items.length, onEnd]);
  return (
    <ul className="memory-rows" aria-label={en.memory.list} ref={frame} style={{ height: list.getTotalSize() }}>
      {drawn.map(({ key, index, start }) => {
        const entry = items[index];
        return (
          <li
            key={key}
            ref={list.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={total}
            className="memory-row"
            style={{ transform: `translateY(${start - above}px)` }}
          >
            {entry && <Row entry={entry} open={entry.correction.id === open} projects={projects} />}
          </li>
        );
      })}
    </ul>
  );
}

interface RowProps {
  entry: Entry;
  open: boolean;
  projects: ReadonlyMap<string, string>;
}

const Row = memo(function Row({ entry, open, projects }: RowProps) {
  const { correction, times } = entry;
  return (
    <Link
      className="memory-link"
      to="/memory/$id"
      params={{ id: correction.id }}
      id={`row-${correction.id}`}
      aria-current={open ? "true" : undefined}
      preload={false}
      resetScroll={false}
    >
      <Asked said={correction} />
      <span className="memory-claim">
        {shown(correction.claim)}
        {correction.pinned && (
          <span className="memory-pin">
            <Icon name="pin" size={14} />
            <VisuallyHidden>{en.memory.pinned}</VisuallyHidden>
          </span>
        )}
      </span>
      <span className="memory-facts">
        <span>{en.memory.types[correction.type]}</span>
        <span>{shown(placeWords(correction, projects))}</span>
        <span>{saidWords(correction)}</span>
        <Use correction={correction} times={times} />
      </span>
    </Link>
  );
});

/** What scrolls around `frame`, and how much of it stands above; that changes as proposals come and go. */
function useScroller(frame: React.RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState<{ scroller: HTMLElement | null; above: number }>({ scroller: null, above: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    const scroller = element?.closest<HTMLElement>(".shell-main") ?? null;
    if (element === null || scroller === null) return undefined;
    const measure = () => {
      const above = Math.round(element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop);
      setPlace((before) => (before.above === above && before.scroller === scroller ? before : { scroller, above }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    for (const each of element.closest(".remembered")?.children ?? []) observer.observe(each);
    return () => observer.disconnect();
  }, [frame]);
  return place;
}
