import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { AnswerView } from "../../answer/AnswerView";
import type { AnswerActs } from "../../answer/Actions";
import { NotedCard } from "../../answer/Cards";
import { fromQuestion, fromResult } from "../../answer/outcome";
import { useQuestion } from "../../answer/requests";
import { SettledColumns } from "../../answer/SettledColumns";
import { levelOf } from "../../composer/choices";
import type { AccuracyLevel, Remembered } from "../../streams/events";
import { useHub } from "../../streams/context";
import { useFollowing, useRuns } from "../../streams/hooks";
import type { Run } from "../../streams/run";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { Icon } from "../../ui/icons";
import { RelativeTime } from "../../ui/words";
import { Attached } from "./Attached";
import { Failed } from "./Failed";
import { AskedAgain, Question } from "./Question";
import type { MessageRow as Row } from "./rows";
import type { Message, Thread } from "./thread";
import { Versions } from "./Versions";
import { shown } from "../../markdown/text";

export interface MessageActs {
  readonly answer: (message: Message) => AnswerActs;
  readonly onEdit: (message: Message) => void;
  readonly onRetry: (queryId: string, level: AccuracyLevel | null) => void;
}

interface MessageRowProps {
  row: Row;
  /** The message that the address names: of several versions it is the one shown. */
  openAt: string | undefined;
  branches: Thread["branches"];
  /** What this tab saw being remembered, by id: it can still be taken back. */
  fresh: ReadonlyMap<string, Remembered>;
  acts: MessageActs;
}

/** One message of a conversation, with what came of it. */
export function MessageRow({ row, openAt, branches, fresh, acts }: MessageRowProps) {
  const { message, versions } = useVersions(row, openAt);
  const { unanswered, again } = row;
  return (
    <div className="turn">
      {again !== null && <AskedAgain question={again} />}
      {versions}
      {message.role === "user" ? (
        <Question text={message.text}>
          <Attached files={message.attachments} />
          <div className="question-acts">
            <span className="soft">
              <RelativeTime at={message.created_at} />
            </span>
            <IconButton size="s" icon="edit" label={en.answer.actions.edit} onClick={() => acts.onEdit(message)} />
          </div>
        </Question>
      ) : (
        <Answered key={message.id} message={message} acts={acts.answer(message)} />
      )}
      {message.corrections.map((each) => (
        <NotedCard key={each.id} said={each} fresh={fresh.get(each.id)} />
      ))}
      {unanswered && message.question && (
        <Unanswered question={message.question} onRetry={() => acts.onRetry(message.question?.query_id ?? "", levelOf(message.question?.level))} />
      )}
      {branches.map(({ conversation }) => (
        <Link key={conversation.id} className="branch-link" to="/c/$id" params={{ id: conversation.id }}>
          <Icon name="branch" size={16} />
          {en.conversation.branchHere(shown(conversation.title) || en.conversation.untitled)}
        </Link>
      ))}
    </div>
  );
}

/** Which of several answers to one question is shown, the newest unless another was chosen, and what leads through them. */
function useVersions({ versions }: Row, openAt: string | undefined): { message: Message; versions: ReactNode } {
  const count = versions.length;
  const named = versions.findIndex((each) => each.id === openAt);
  const [chosen, setChosen] = useState({ at: named < 0 ? count - 1 : named, of: count });
  const at = chosen.of === count ? chosen.at : count - 1;
  const message = versions[at] ?? versions[0];
  return { message, versions: count > 1 && <Versions at={at} count={count} onShow={(next) => setChosen({ at: next, of: count })} /> };
}

/** Milliseconds that a row stays before what stands behind it is read: whoever scrolls by needs nothing of it. */
const DWELL = 120;

function useStays(): boolean {
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), DWELL);
    return () => clearTimeout(timer);
  }, []);
  return stays;
}

function Answered({ message, acts }: { message: Message; acts: AnswerActs }) {
  const stays = useStays();
  const behind = message.question ?? null;
  const { data: question } = useQuestion(behind?.query_id ?? "", behind !== null && stays);
  const confidence = behind?.confidence ?? null;
  const seconds = behind?.seconds ?? 0;
  // What this tab saw being answered is shown whole before it was read again.
  const { store } = useHub();
  const seen = behind && [...store.runs.values()].findLast((run) => run.queryId === behind.query_id)?.result;
  const outcome = question ? fromQuestion(question, confidence?.basis ?? "", seconds) : seen ? fromResult(seen) : null;
  const kept = behind && {
    alone: message.models.length === 1 ? (message.models[0] ?? null) : null,
    confidence: confidence && { label: confidence.label, basis: confidence.basis, p: confidence.p ?? null },
    agree: behind.agree,
    answered: behind.answered,
    silent: 0,
    unawaited: 0,
    mute: 0,
    effectiveVotes: behind.effective_votes ?? null,
    reviews: [],
    costMicros: behind.cost_micros,
    seconds,
    receipt: null,
  };
  return (
    <AnswerView
      text={message.text}
      queryId={behind?.query_id ?? null}
      level={levelOf(behind?.level)}
      facts={outcome ?? kept}
      outcome={outcome}
      members={message.models.length}
      entered={message.memory}
      disagreement={outcome ? outcome.candidates.length > 1 : message.disagreement}
      notices={message.notices}
      acts={acts}
    />
  );
}

/** The run of a question, as long as this browser knows it: it says why no answer came. */
function useRunOf(queryId: string): Run | null {
  return [...useRuns().values()].findLast((run) => run.queryId === queryId) ?? null;
}

function Unanswered({ question, onRetry }: { question: NonNullable<Message["question"]>; onRetry: () => void }) {
  const words = en.answer.failed;
  const [wanted, setWanted] = useState(false);
  const { data: kept } = useQuestion(question.query_id, wanted);
  const run = useRunOf(question.query_id);
  const following = useFollowing();
  if (question.state === "started" && !following) return null;
  const usual =
    { failed: words.failed, interrupted: words.interrupted, abandoned: words.abandoned }[question.state] ?? words.unfinished;
  const sentence = run?.state === "stopped" ? words.stopped : (run?.problem?.message ?? usual);
  return (
    <>
      <Failed sentence={sentence} remedy={run?.problem?.remedy ?? ""} code={run?.problem?.code ?? ""} onRetry={onRetry} />
      {!wanted && (question.state === "failed" || question.answered > 0) && (
        <Button kind="quiet" size="s" onClick={() => setWanted(true)}>
          {en.answer.showParts}
        </Button>
      )}
      {kept && <SettledColumns outcome={fromQuestion(kept, "", 0)} />}
    </>
  );
}
