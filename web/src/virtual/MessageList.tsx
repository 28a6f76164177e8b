/* eslint-disable react-hooks/refs -- the list reads its scroller in effects and events alone, never while it is drawn */
import { useVirtualizer, type ReactVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type Ref, type RefObject } from "react";

import { below, isNearStart, wantsEarlier, type Below as BelowNow, type End } from "./place";
import { isOnPaper, usePrinting } from "./printing";
import { listWords as words } from "./words";
import "./virtual.css";

export interface Listed {
  readonly id: string;
}

export interface MessageListHandle {
  /** Show the message and mark it for a moment; false if it is not loaded. */
  jumpTo(id: string): boolean;
  toEnd(): void;
}

export interface MessageListProps<Item extends Listed> {
  readonly items: readonly Item[];
  /** Must be the same function as long as it draws the same: messages are drawn again when it changes. */
  readonly renderItem: (item: Item) => ReactNode;
  /** Height in px to plan with before a message was drawn; the nearer, the steadier the scroll bar. */
  readonly estimate?: (item: Item) => number;
  /** What the list is, for those who hear it. */
  readonly label: string;
  /** Nothing earlier than the first item exists. */
  readonly atStart: boolean;
  /** How the last try to load earlier messages stands. What failed is tried again when the reader says so. */
  readonly earlier?: Earlier;
  /** Called once for each first item when the reader comes near it. */
  readonly loadEarlier: () => void;
  /** The message to open at; the end if absent. */
  readonly openAt?: string;
  readonly handle?: Ref<MessageListHandle>;
}

export type Earlier = "idle" | "loading" | "failed";

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;
const USUAL_HEIGHT_PX = 160;
const END_PX = 48;
const OVERSCAN = 4;
const MARKED_FOR_MS = 2000;
const NOTE_FOR_MS = 6000;
/** A list this short is in the page as a whole. */
const WHOLE = 12;

interface RowProps<Item extends Listed> {
  readonly item: Item;
  readonly index: number;
  readonly count: number;
  readonly marked: boolean;
  readonly renderItem: (item: Item) => ReactNode;
  readonly measure: (node: HTMLDivElement | null) => void;
}

function RowView<Item extends Listed>({ item, index, count, marked, renderItem, measure }: RowProps<Item>) {
  return (
    <div
      ref={measure}
      role="listitem"
      aria-posinset={index + 1}
      aria-setsize={count}
      data-index={index}
      data-message={item.id}
      className={marked ? "list-item list-item-marked" : "list-item"}
    >
      {renderItem(item)}
    </div>
  );
}
// `memo` forgets the type parameter of what it wraps.
const Row = memo(RowView) as typeof RowView;

/** Return `value` that falls back to `usual` a while after it was set. */
function useForAWhile<Value>(usual: Value, milliseconds: number): [Value, (value: Value) => void] {
  const [value, setValue] = useState(usual);
  useEffect(() => {
    if (value === usual) return undefined;
    const handle = setTimeout(() => setValue(usual), milliseconds);
    return () => clearTimeout(handle);
  }, [value, usual, milliseconds]);
  return [value, setValue];
}

function endOf(list: List, items: readonly Listed[]): End | null {
  const last = items.at(-1);
  const size = list.measurementsCache.at(-1)?.size;
  return last && size !== undefined ? { id: last.id, size } : null;
}

/** Return what lies below the reader, and the function that looks again. */
function useBelow(items: readonly Listed[]): [BelowNow, (list: List) => void] {
  const [found, setFound] = useState<BelowNow>("nothing");
  const left = useRef<End | null>(null);
  const look = useCallback(
    (list: List) => {
      const now = endOf(list, items);
      const atEnd = list.isAtEnd(END_PX);
      if (atEnd) left.current = now;
      setFound(below(atEnd, left.current, now));
    },
    [items],
  );
  return [found, look];
}

/** Open at `openAt` or at the end, once, as soon as there is something to show. */
function useOpening(list: List, items: readonly Listed[], openAt: string | undefined): void {
  const opened = useRef(false);
  useLayoutEffect(() => {
    if (opened.current || items.length === 0) return;
    opened.current = true;
    const index = openAt === undefined ? -1 : items.findIndex((item) => item.id === openAt);
    if (index >= 0) list.scrollToIndex(index, { align: "center" });
    else list.scrollToEnd();
  }, [list, items, openAt]);
}

type Begins = Pick<MessageListProps<Listed>, "items" | "atStart" | "earlier" | "loadEarlier">;

function useEarlier({ items, atStart, earlier = "idle", loadEarlier }: Begins, firstShown: number): void {
  const asked = useRef<string | null>(null);
  const firstId = items[0]?.id;
  useEffect(() => {
    // Once something else has read the conversation, a try that failed before it is forgotten.
    if (earlier === "failed") asked.current = null;
    if (earlier !== "idle" || !wantsEarlier(firstShown, firstId, atStart, asked.current)) return;
    asked.current = firstId ?? null;
    loadEarlier();
  }, [firstShown, firstId, atStart, earlier, loadEarlier]);
}

/** Paper has no scroll position: afterwards the reader is where he was. */
function usePlaceKept(list: List, printing: boolean): void {
  const place = useRef<number | null>(null);
  const before = useRef(0);
  useEffect(() => {
    if (!printing && !isOnPaper()) before.current = list.scrollOffset ?? 0;
  });
  useLayoutEffect(() => {
    // The layout of the paper may have come before we hear of it, and have moved everything to the top.
    if (printing) place.current = list.scrollOffset || before.current;
    else if (place.current !== null) list.scrollToOffset(place.current);
    if (!printing) place.current = null;
  }, [list, printing]);
}

/** Heights on paper are other ones: the list must not plan with them. */
const unmeasured = () => undefined;

interface Keys {
  readonly toStart: () => void;
  readonly toEnd: () => void;
  readonly find: () => void;
}

function onKey(event: KeyboardEvent<HTMLDivElement>, keys: Keys): void {
  if ((event.ctrlKey || event.metaKey) && event.key === "f") keys.find();
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
  // The browser's own Home and End would stop where the estimated heights end.
  const move = { Home: keys.toStart, End: keys.toEnd }[event.key];
  if (!move) return;
  event.preventDefault();
  move();
}

/** Return the list of what is near the reader; `look` hears of every change. */
function useList<Item extends Listed>({ items, estimate }: MessageListProps<Item>, scroller: RefObject<HTMLDivElement | null>, look: (list: List) => void): ReactVirtualizer<HTMLDivElement, HTMLDivElement> {
  const estimateSize = useCallback(
    (index: number) => {
      const item = items[index];
      return item && estimate ? estimate(item) : USUAL_HEIGHT_PX;
    },
    [items, estimate],
  );
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoised by a compiler
  return useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: END_PX,
    overscan: OVERSCAN,
    directDomUpdates: true,
    directDomUpdatesMode: "position",
    onChange: look,
  });
}

function useHandle(handle: Ref<MessageListHandle> | undefined, list: List, items: readonly Listed[], mark: (id: string) => void): void {
  useImperativeHandle(handle, () => ({
    toEnd: () => list.scrollToEnd(),
    jumpTo: (id) => {
      const index = items.findIndex((item) => item.id === id);
      if (index < 0) return false;
      list.scrollToIndex(index, { align: "center" });
      mark(id);
      return true;
    },
  }));
}

/** Says at the beginning of what is loaded that there is more, and that it did not come. */
function Above({ shown, onRetry }: { readonly shown: boolean; readonly onRetry: () => void }) {
  return (
    <div className="list-above" role="status" hidden={!shown}>
      {shown && (
        <>
          <span>{words.earlierFailed}</span>
          <button type="button" className="button button-secondary button-s" onClick={onRetry}>
            {words.retry}
          </button>
        </>
      )}
    </div>
  );
}

function Below({ found, toEnd }: { readonly found: BelowNow; readonly toEnd: () => void }) {
  if (found === "nothing") return null;
  return (
    <button type="button" className="list-below" onClick={toEnd}>
      {found === "news" ? words.newBelow : words.toEnd}
    </button>
  );
}

/**
 * A conversation of any length: only the messages near the reader are in the page.
 *
 * It opens at the end or at a message, follows text that streams in unless the reader has scrolled up, and keeps what
 * is read in its place while earlier messages load above it.
 */
export function MessageList<Item extends Listed>(props: MessageListProps<Item>) {
  const { items, renderItem, label, openAt, handle } = props;
  const [found, look] = useBelow(items);
  const [marked, mark] = useForAWhile<string | null>(null, MARKED_FOR_MS);
  const [note, setNote] = useForAWhile(false, NOTE_FOR_MS);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useList(props, scroller, look);
  const printing = usePrinting();
  const near = list.getVirtualItems();
  const drawn = printing ? items.map(({ id }, index) => ({ key: id, index })) : near;
  useOpening(list, items, openAt);
  // On paper nothing scrolls, so that nobody comes near the beginning.
  useEarlier(props, printing ? items.length : (near[0]?.index ?? items.length));
  usePlaceKept(list, printing);
  useHandle(handle, list, items, mark);
  const toEnd = () => list.scrollToEnd();
  const keys: Keys = { toEnd, toStart: () => list.scrollToIndex(0), find: () => setNote(items.length > WHOLE) };
  const rows = drawn.map(({ key, index }) => {
    const item = items[index];
    const common = { index, count: items.length, renderItem, measure: printing ? unmeasured : list.measureElement };
    return item && <Row key={key} item={item} marked={marked === item.id} {...common} />;
  });
  return (
    <div className="list-frame">
      {printing && !props.atStart && <p className="list-earlier">{words.notPrinted}</p>}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable and moved by key */}
      <div ref={scroller} className="list-scroller" role="list" aria-label={label} tabIndex={0} onKeyDown={(event) => onKey(event, keys)}>
        <div ref={list.containerRef} className="list-content" role="presentation">
          {rows}
        </div>
      </div>
      <p className="list-note" role="status" hidden={!note}>
        {note ? words.findNote : ""}
      </p>
      <Above shown={props.earlier === "failed" && isNearStart(near[0]?.index ?? 0)} onRetry={props.loadEarlier} />
      <Below found={found} toEnd={toEnd} />
    </div>
  );
}
