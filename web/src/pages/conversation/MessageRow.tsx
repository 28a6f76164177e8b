import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { AnswerView } from "../../answer/AnswerView";
import type { AnswerActs } from "../../answer/Actions";
import { NotedCard } from "../../answer/Cards";
import { fromQuestion } from "../../answer/outcome";
import { useQuestion } from "../../answer/requests";
import { SettledColumns } from "../../answer/SettledColumns";
import type { AccuracyLevel, Remembered } from "../../streams/events";
import { useRuns } from "../../streams/hooks";
import type { Run } from "../../streams/run";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { Icon } from "../../ui/icons";
import { RelativeTime } from "../../ui/words";
import { Attached } from "./Attached";
import { Failed } from "./Failed";
import { Question } from "./Question";
import type { Message, Thread } from "./thread";
import { shown } from "../../markdown/text";

export interface MessageActs {
  readonly answer: (message: Message) => AnswerActs;
  readonly onEdit: (message: Message) => void;
  readonly onRetry: (queryId: string) => void;
}

interface MessageRowProps {
  message: Message;
  unanswered: boolean;
  /** The last answer shows everything at once; the others on demand. */
  latest: boolean;
  branches: Thread["branches"];
  /** What this tab saw being remembered, by id: it can still be taken back. */
  fresh: ReadonlyMap<string, Remembered>;
  acts: MessageActs;
}

/** One message of a conversation, with what came of it. */
export function MessageRow({ message, unanswered, latest, branches, fresh, acts }: MessageRowProps) {
  return (
    <div className="turn">
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
        <Answered message={message} latest={latest} acts={acts.answer(message)} />
      )}
      {message.corrections.map((each) => (
        <NotedCard key={each.id} id={each.id} claim={each.claim} state={each.state} fresh={fresh.get(each.id)} />
      ))}
      {unanswered && message.question && (
        <Unanswered question={message.question} onRetry={() => acts.onRetry(message.question?.query_id ?? "")} />
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

function Answered({ message, latest, acts }: { message: Message; latest: boolean; acts: AnswerActs }) {
  const [wanted, setWanted] = useState(false);
  const behind = message.question ?? null;
  const { data: question } = useQuestion(behind?.query_id ?? "", behind !== null && (latest || wanted));
  const confidence = behind?.confidence ?? null;
  const outcome = question ? fromQuestion(question, confidence?.basis ?? "") : null;
  const kept = behind && {
    confidence: confidence && { label: confidence.label, basis: confidence.basis, p: confidence.p ?? null },
    agree: behind.agree,
    answered: behind.answered,
    effectiveVotes: behind.effective_votes ?? null,
    reviews: [],
    costMicros: behind.cost_micros,
    seconds: 0,
    receipt: null,
  };
  return (
    <AnswerView
      text={message.text}
      queryId={behind?.query_id ?? null}
      level={(behind?.level as AccuracyLevel | undefined) ?? null}
      facts={outcome ?? kept}
      outcome={outcome}
      members={message.models.length}
      entered={message.memory}
      disagreement={message.disagreement}
      notices={message.notices}
      acts={acts}
      onMore={() => setWanted(true)}
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
  const usual = { failed: words.failed, interrupted: words.interrupted }[question.state] ?? words.unfinished;
  const sentence = run?.state === "stopped" ? words.stopped : (run?.problem?.message ?? usual);
  return (
    <>
      <Failed sentence={sentence} remedy={run?.problem?.remedy ?? ""} onRetry={onRetry} />
      {!wanted && (question.state === "failed" || question.answered > 0) && (
        <Button kind="quiet" size="s" onClick={() => setWanted(true)}>
          {en.answer.showParts}
        </Button>
      )}
      {kept && <SettledColumns outcome={fromQuestion(kept, "")} />}
    </>
  );
}
