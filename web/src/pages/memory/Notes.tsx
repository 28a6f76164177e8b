import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { Markdown } from "../../markdown";
import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states";
import { RelativeTime } from "../../ui/words";
import { useMakeNote, useNotes, usePendingNotes, useWriting } from "./notes";
import { Problem } from "./Problem";
import { Recovery } from "./Recovery";
import { shown } from "../../markdown/text";
import "./notes.css";

/** What models write so that they can go on later: about conversations, and about the person. */
export function Notes() {
  return (
    <div className="memory-notes">
      <HandOff />
      <Recovery />
    </div>
  );
}

function HandOff() {
  const words = en.memory.notes;
  const notes = useNotes();
  const [run, setRun] = useState<string | null>(null);
  const make = useMakeNote();
  const writing = useWriting(run, () => announce(words.made));
  const busy = make.isPending || writing.going;
  return (
    <section className="memory-part" aria-labelledby="notes">
      <div className="memory-part-head">
        <h2 id="notes">{words.title}</h2>
        <Button size="s" icon="edit" busy={busy} onClick={() => make.mutate(undefined, { onSuccess: ({ id }) => setRun(id) })}>
          {words.make}
        </Button>
      </div>
      <p className="soft">{words.text}</p>
      <p className="soft" role="status">
        {busy ? words.making : ""}
      </p>
      {writing.problem && <Problem problem={writing.problem} />}
      <Pending />
      {notes.isPending && <Skeleton lines={4} />}
      {notes.isError && <ErrorState error={notes.error} onRetry={() => void notes.refetch()} />}
      {notes.data?.length === 0 && (
        <EmptyState icon="memory" title={words.empty}>
          {words.emptyText}
        </EmptyState>
      )}
      {notes.data?.map((each) => <Note key={each.note.id} view={each} />)}
      {notes.hasNextPage && (
        <Button kind="quiet" size="s" icon="down" busy={notes.isFetchingNextPage} onClick={() => void notes.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </section>
  );
}

function Note({ view }: { view: Schemas["NoteView"] }) {
  const words = en.memory.notes;
  const { note, title, valid } = view;
  return (
    <details className="memory-note">
      <summary>
        <span className="memory-note-title">{shown(title) || en.memory.untitled}</span>
        <span className="memory-facts">
          <span>{words.by(shown(note.seat))}</span>
          <span>
            <RelativeTime at={note.created_at} />
          </span>
          <span>{words.triggers[note.trigger] ?? note.trigger}</span>
          <span>{valid ? words.current : words.behind}</span>
        </span>
      </summary>
      <div className="memory-note-text">
        <Markdown text={note.text} />
        <Link to="/c/$id" params={{ id: note.conversation_id }}>
          {words.open}
        </Link>
      </div>
    </details>
  );
}

function Pending() {
  const words = en.memory.notes;
  const { data: pending } = usePendingNotes();
  if (!pending || pending.length === 0) return null;
  return (
    <details className="memory-note">
      <summary>
        <Badge tone="doubt">{words.waiting(pending.length)}</Badge>
      </summary>
      <ul className="memory-lines">
        {pending.map(({ order, title, may_write }) => (
          <li key={`${order.conversation_id} ${order.seat}`} className="memory-line">
            <Link to="/c/$id" params={{ id: order.conversation_id }}>
              {shown(title) || en.memory.untitled}
            </Link>
            <span className="soft">
              {words.by(shown(order.seat))}, {may_write ? words.maySelf : words.mayNot}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
