import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { type Conversation, useConversations } from "../api/conversations";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Skeleton } from "../ui/states";
import { useNow } from "../ui/words";
import { ConversationRow } from "./ConversationRow";
import { grouped, type Row } from "./groups";

/** Pixels of a row before it is measured. */
const ROW_HEIGHT = 36;
/** Rows drawn beyond what is in sight, so that the tab key finds the next one. */
const OVERSCAN = 12;

/** All conversations, the latest used first. Only the rows in sight are drawn. */
export function ConversationList({ onChoose }: { onChoose?: () => void }) {
  const words = en.shell.conversations;
  const conversations = useConversations();
  if (conversations.isPending) return <Skeleton lines={4} />;
  if (conversations.isError)
    return (
      <div className="conversations-note">
        <p>{words.failed}</p>
        <Button size="s" icon="retry" onClick={() => void conversations.refetch()}>
          {en.ui.retry}
        </Button>
      </div>
    );
  if (conversations.data.length === 0) return <p className="conversations-note">{words.empty}</p>;
  const more = conversations.hasNextPage && !conversations.isFetchingNextPage;
  return (
    <VirtualRows
      items={conversations.data}
      onEnd={more ? () => void conversations.fetchNextPage() : undefined}
      onChoose={onChoose}
    />
  );
}

interface VirtualRowsProps {
  items: readonly Conversation[];
  onEnd: (() => void) | undefined;
  onChoose: (() => void) | undefined;
}

function VirtualRows({ items, onEnd, onChoose }: VirtualRowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const now = useNow();
  const rows = useMemo(() => grouped(items, now), [items, now]);
  // The app is built without React's compiler, which would have to leave this component alone.
  // eslint-disable-next-line react-hooks/incompatible-library
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (at) => keyOf(rows[at], at),
    overscan: OVERSCAN,
  });
  const drawn = list.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 1) onEnd?.();
  }, [last, rows.length, onEnd]);
  return (
    // A box that scrolls can be scrolled by keys only where it takes focus.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="conversations" ref={frame} tabIndex={0} role="region" aria-label={en.shell.conversations.label}>
      <ul className="conversations-rows" style={{ height: list.getTotalSize() }}>
        {drawn.map(({ key, index, start }) => (
          <li
            key={key}
            ref={list.measureElement}
            data-index={index}
            className="conversations-row"
            style={{ transform: `translateY(${start}px)` }}
          >
            <RowView row={rows[index]} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function RowView({ row, onChoose }: { row: Row<Conversation> | undefined; onChoose: (() => void) | undefined }) {
  if (row === undefined) return null;
  if (row.kind === "group") return <span className="conversations-group">{row.label}</span>;
  return <ConversationRow conversation={row.item} onChoose={onChoose} />;
}

function keyOf(row: Row<Conversation> | undefined, at: number): string {
  if (row === undefined) return String(at);
  return row.kind === "group" ? `group ${row.label}` : row.item.id;
}
