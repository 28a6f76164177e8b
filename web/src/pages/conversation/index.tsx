import { useParams, useSearch } from "@tanstack/react-router";
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import { useStop } from "../../answer/requests";
import { ApiError } from "../../api/errors";
import { Composer } from "../../composer/Composer";
import { isTemporary } from "../../composer/temporary";
import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states";
import { MessageList, type MessageListHandle } from "../../virtual";
import { editDraft, useActs } from "./acts";
import "./conversation.css";
import { BranchNote, ConversationMenu } from "./Head";
import { useLeaving, useStopKey } from "./leaving";
import { useLive } from "./live";
import { LiveRow } from "./LiveRow";
import { MessageRow } from "./MessageRow";
import { estimated, type Row, rowsOf } from "./rows";
import { type Message, messagesOf, useThread } from "./thread";

export default function ConversationPage() {
  const { id } = useParams({ from: "/c/$id" });
  // Another conversation is another page: nothing of the one before stays.
  return <OneConversation key={id} id={id} />;
}

function OneConversation({ id }: { id: string }) {
  const { message: openAt } = useSearch({ from: "/c/$id" });
  const thread = useThread(id, openAt);
  useLeaving(id);
  const pages = thread.data?.pages;
  const last = pages?.at(-1);
  const conversation = last?.conversation;
  if (thread.isError && !pages) return <Missing error={thread.error} onRetry={() => void thread.refetch()} />;
  return (
    <Page
      title={conversation?.title || en.conversation.untitled}
      width="full"
      actions={conversation && <ConversationMenu conversation={conversation} branches={last.branches} />}
    >
      <div className="conversation">
        {conversation && <BranchNote conversation={conversation} origin={last.origin ?? null} />}
        {isTemporary(id) && <p className="conversation-note">{en.conversation.temporary}</p>}
        <Messages id={id} thread={thread} openAt={openAt} />
      </div>
    </Page>
  );
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const gone = error instanceof ApiError && (error.status === 404 || error.status === 422);
  return (
    <Page title={en.ask.conversation} titleHidden>
      {gone ? <EmptyState icon="ask" title={en.conversation.missing}>{en.conversation.missingRemedy}</EmptyState> : <ErrorState error={error} onRetry={onRetry} />}
    </Page>
  );
}

interface MessagesProps {
  id: string;
  thread: ReturnType<typeof useThread>;
  openAt: string | undefined;
}

function Messages({ id, thread, openAt }: MessagesProps) {
  const { data, refetch, hasPreviousPage, fetchPreviousPage } = thread;
  const list = useRef<MessageListHandle>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const pages = data?.pages;
  const messages = useMemo(() => messagesOf(pages ?? []), [pages]);
  const live = useLive(id, pages !== undefined, refetch);
  const rows = useMemo(() => rowsOf(messages, live.rows), [messages, live.rows]);
  const questionOf = useCallback((answer: Message) => questionBefore(messages, answer), [messages]);
  const { acts, editing, stopEditing, send, again } = useActs(id, questionOf);
  const { mutate: stop } = useStop();
  const onStop = live.running === null ? null : () => stop(live.running ?? "");
  useStopKey(onStop);
  useJump(list, openAt, pages !== undefined);
  useFocus(box, editing === null ? openAt === undefined : true, editing?.id);
  const branches = pages?.at(-1)?.branches;
  const latest = messages.findLast((each) => each.role !== "user")?.id;
  const renderItem = useCallback(
    (row: Row) => {
      if (row.kind === "run") {
        const queryId = live.rows.find((each) => each.id === row.runId)?.queryId ?? "";
        const liveActs = { ...acts.live, onRetry: (wish: object) => again({ ...wish, queryId }) };
        return <LiveRow runId={row.runId} asks={row.asks} acts={liveActs} onAgain={(text) => acts.live.onSay(text)} />;
      }
      const { message, unanswered } = row;
      const here = (branches ?? []).filter((each) => each.number === message.number);
      return (
        <MessageRow message={message} unanswered={unanswered} latest={message.id === latest} branches={here} fresh={live.fresh} acts={acts} />
      );
    },
    [acts, again, branches, latest, live.rows, live.fresh],
  );
  return (
    <>
      {pages === undefined ? (
        <div className="conversation-loading">
          <Skeleton lines={6} />
        </div>
      ) : rows.length === 0 ? (
        <EmptyState icon="ask" title={en.conversation.empty} />
      ) : (
        <MessageList
          items={rows}
          renderItem={renderItem}
          estimate={estimated}
          label={en.ask.messages}
          atStart={!hasPreviousPage}
          loadEarlier={() => void fetchPreviousPage()}
          handle={list}
          {...(openAt === undefined ? {} : { openAt })}
        />
      )}
      <div className="conversation-composer">
        <Composer
          key={editing?.id ?? "next"}
          draft={editing ? editDraft(id, editing) : id}
          placeholder={en.composer.placeholderNext}
          beginning={false}
          onStop={onStop}
          box={box}
          onSend={async (wish) => {
            const taken = await send(wish, editing);
            if (taken) list.current?.toEnd();
            return taken;
          }}
          {...(editing ? { note: <EditNote onCancel={stopEditing} />, sendLabel: en.conversation.editSend } : {})}
        />
      </div>
    </>
  );
}

function EditNote({ onCancel }: { onCancel: () => void }) {
  return (
    <div className="composer-note">
      <span>{en.conversation.editing}</span>
      <Button size="s" kind="quiet" onClick={onCancel}>
        {en.conversation.editCancel}
      </Button>
    </div>
  );
}

/** The question that a message answers, or the last one before it. */
function questionBefore(messages: readonly Message[], answer: Message): Message | null {
  return messages.findLast((each) => each.role === "user" && each.number < answer.number) ?? null;
}

/** Goes to the message that the address names, once it is there. */
function useJump(list: RefObject<MessageListHandle | null>, openAt: string | undefined, loaded: boolean): void {
  useEffect(() => {
    if (openAt !== undefined && loaded) list.current?.jumpTo(openAt);
  }, [list, openAt, loaded]);
}

/** Where fingers type, a box that takes focus brings up the keyboard unasked. */
function useFocus(box: RefObject<HTMLTextAreaElement | null>, wanted: boolean, subject: string | undefined): void {
  useEffect(() => {
    if (wanted && !matchMedia("(pointer: coarse)").matches) box.current?.focus();
  }, [box, wanted, subject]);
}
