import { useParams, useSearch } from "@tanstack/react-router";
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import { AnswerDialogs } from "../../answer/AnswerDialogs";
import { useGoing } from "../../answer/going";
import { wasDeleted } from "../../api/deleted";
import { LastLevel, levelOf } from "../../composer/choices";
import { isTemporary } from "../../composer/temporary";
import { Here } from "../../memory-bars/steering";
import { Page } from "../../shell/Page";
import { useRun } from "../../streams/hooks";
import { en } from "../../strings/en";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states";
import { MessageList, type MessageListHandle } from "../../virtual";
import { useActs } from "./acts";
import { Composing } from "./Composing";
import "./conversation.css";
import { BranchNote, ConversationMenu } from "./Head";
import { useLeaving, useStopKey } from "./leaving";
import { useLive } from "./live";
import { LiveRow } from "./LiveRow";
import { MessageRow } from "./MessageRow";
import { estimated, type Row, rowOf, rowsOf } from "./rows";
import { type Message, messagesOf, useThread } from "./thread";

export default function ConversationPage() {
  const { id } = useParams({ from: "/c/$id" });
  // Another conversation is another page: nothing of the one before stays.
  return <OneConversation key={id} id={id} />;
}

function OneConversation({ id }: { id: string }) {
  const { message: openAt } = useSearch({ from: "/c/$id" });
  const { thread, refresh, lost } = useThread(id, openAt);
  useLeaving(id);
  const pages = thread.data?.pages;
  const last = pages?.at(-1);
  const conversation = last?.conversation;
  if (lost) return <Gone deleted={pages !== undefined || wasDeleted(id)} />;
  if (thread.isError && !pages) return <Unread error={thread.error} onRetry={() => void thread.refetch()} />;
  return (
    <Here value={id}>
      <Page
        title={conversation?.title || en.conversation.untitled}
        width="full"
        actions={conversation && <ConversationMenu conversation={conversation} branches={last.branches} />}
      >
        <div className="conversation">
          {conversation && <BranchNote conversation={conversation} origin={last.origin ?? null} />}
          {isTemporary(id) && <p className="conversation-note">{en.conversation.temporary}</p>}
          <AnswerDialogs>
            <Messages id={id} thread={thread} refresh={refresh} openAt={openAt} />
          </AnswerDialogs>
        </div>
      </Page>
    </Here>
  );
}

/** A conversation that is not there. deleted: it was there before. */
function Gone({ deleted }: { deleted: boolean }) {
  const words = en.conversation;
  return (
    <Page title={en.ask.conversation} titleHidden>
      <EmptyState icon="ask" title={deleted ? words.deleted : words.missing}>
        {deleted ? words.deletedRemedy : words.missingRemedy}
      </EmptyState>
    </Page>
  );
}

function Unread({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Page title={en.ask.conversation} titleHidden>
      <ErrorState error={error} onRetry={onRetry} />
    </Page>
  );
}

interface MessagesProps {
  id: string;
  thread: ReturnType<typeof useThread>["thread"];
  refresh: ReturnType<typeof useThread>["refresh"];
  openAt: string | undefined;
}

function Messages({ id, thread, refresh, openAt }: MessagesProps) {
  const { data, hasPreviousPage, fetchPreviousPage } = thread;
  const list = useRef<MessageListHandle>(null);
  const pages = data?.pages;
  const messages = useMemo(() => messagesOf(pages ?? []), [pages]);
  const live = useLive(id, pages?.at(-1)?.ended, refresh);
  const rows = useMemo(() => rowsOf(messages, live.rows), [messages, live.rows]);
  const questionOf = useCallback((answer: Message) => questionBefore(messages, answer), [messages]);
  const asked = useRun(live.rows.at(-1)?.id ?? null)?.level;
  const last = asked ?? levelOf(messages.findLast((each) => each.question)?.question?.level);
  const { acts, editing, stopEditing, send, again } = useActs(id, last, questionOf);
  const going = useGoing(live.running);
  useStopKey(going?.stop ?? null);
  const openRow = useMemo(() => (openAt === undefined ? undefined : rowOf(rows, openAt)), [rows, openAt]);
  useJump(list, openRow, pages !== undefined);
  const branches = pages?.at(-1)?.branches;
  const renderItem = useCallback(
    (row: Row) => {
      if (row.kind === "run") {
        const queryId = live.rows.find((each) => each.id === row.runId)?.queryId ?? "";
        const liveActs = { ...acts.live, onRetry: (wish: object) => again({ ...wish, queryId }) };
        return <LiveRow runId={row.runId} asks={row.asks} again={row.again} acts={liveActs} onAgain={(text) => acts.live.onSay(text, null)} />;
      }
      const here = (branches ?? []).filter((each) => row.versions.some(({ number }) => number === each.number));
      return <MessageRow row={row} openAt={openAt} branches={here} fresh={live.fresh} acts={acts} />;
    },
    [acts, again, branches, openAt, live.rows, live.fresh],
  );
  return (
    <LastLevel value={last}>
      {pages === undefined && (rows.length === 0 || openAt !== undefined) ? (
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
          earlier={thread.isFetchingPreviousPage ? "loading" : thread.isFetchPreviousPageError ? "failed" : "idle"}
          loadEarlier={() => void fetchPreviousPage()}
          handle={list}
          {...(openRow === undefined ? {} : { openAt: openRow })}
        />
      )}
      <Composing
        id={id}
        editing={editing}
        focused={openAt === undefined}
        going={going}
        onCancel={stopEditing}
        onSend={async (wish, edits) => {
          const taken = await send(wish, edits);
          if (taken) list.current?.toEnd();
          return taken;
        }}
      />
    </LastLevel>
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
