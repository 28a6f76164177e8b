import { useEffect, useRef, useState } from "react";
import { AnswerView } from "../../answer/AnswerView";
import type { AnswerActs } from "../../answer/Actions";
import { Callout } from "../../answer/Callouts";
import { ProposedCard, RememberedCard } from "../../answer/Cards";
import { LiveColumns } from "../../answer/LiveColumns";
import { MemoryChips } from "../../answer/MemoryChips";
import { fromResult, spoken } from "../../answer/outcome";
import { useBeginningInView } from "../../answer/view";
import { Markdown, shown } from "../../markdown";
import { announce } from "../../shell/announcer";
import { useRun } from "../../streams/hooks";
import type { Run } from "../../streams/run";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Failed } from "./Failed";
import { AskedAgain, Question } from "./Question";

interface LiveRowProps {
  runId: string;
  /** Whether its question stands nowhere else. */
  asks: boolean;
  /** The question from further above that is asked again here; null where it stands right before. */
  again: string | null;
  acts: AnswerActs;
  onAgain: (text: string) => void;
}

/** A question that is being answered, from its first word to its last. */
export function LiveRow({ runId, asks, again, acts, onAgain }: LiveRowProps) {
  const run = useRun(runId);
  useAnnouncements(run);
  const turn = useRef<HTMLDivElement>(null);
  useBeginningInView(turn, run !== null && (run.decision?.chosen ?? null) !== null);
  if (run === null) return null;
  const result = run.result;
  return (
    <div className="turn" ref={turn}>
      {asks && <Question text={run.text} />}
      {run.remembered.map((each) => (
        <RememberedCard key={each.correction.id} remembered={each} />
      ))}
      {run.proposed.map((each) => (
        <ProposedCard key={each.id} said={each} corrects={each.query_id != null} />
      ))}
      {run.notices.map((each, at) => (
        <Callout key={at} icon="info">
          {shown(each.text)}
        </Callout>
      ))}
      {run.acknowledged && (
        <div className="answer-words reading">
          <Markdown text={run.acknowledged} />
        </div>
      )}
      {again !== null && run.acknowledged === null && <AskedAgain question={again} />}
      {result ? (
        <Final run={run} acts={acts} />
      ) : (
        run.acknowledged === null && <Going run={run} />
      )}
      {run.state !== "running" && !result && run.acknowledged === null && (
        <Failed
          sentence={run.state === "stopped" ? en.answer.failed.stopped : (run.problem?.message ?? en.answer.failed.failed)}
          remedy={run.problem?.remedy ?? ""}
          code={run.problem?.code ?? ""}
          onRetry={() => (run.queryId ? acts.onRetry?.(run.level ? { level: run.level } : {}) : onAgain(run.text))}
        />
      )}
    </div>
  );
}

/** Members at work; once they are compared, the words that were chosen above them. */
function Going({ run }: { run: Run }) {
  const [all, setAll] = useState(true);
  const speaker = run.members.find((each) => each.seat.name === run.decision?.shown_seat)?.answer;
  const chosen = run.decision?.candidates.find((each) => each.id === run.decision?.chosen);
  return (
    <>
      {chosen && (
        <div className="answer-words reading">
          <Markdown text={spoken(chosen.text, speaker?.explanation ?? "")} />
        </div>
      )}
      {run.state === "running" && <Status run={run} />}
      {run.memory && !chosen && (
        <MemoryChips memory={run.memory.uses.filter((each) => each.injected)} passages={run.memory.passages} />
      )}
      {run.members.length > 0 && (!chosen || all) && <LiveColumns run={run} />}
      {chosen && (
        <Button kind="quiet" size="s" className="turn-fold" aria-expanded={all} icon={all ? "down" : "right"} onClick={() => setAll(!all)}>
          {all ? en.answer.hideAll : en.answer.showAll}
        </Button>
      )}
    </>
  );
}

function Status({ run }: { run: Run }) {
  return <p className="turn-status soft tabular">{statusWords(run)}</p>;
}

function statusWords(run: Run): string {
  const words = en.answer;
  const done = run.members.filter((each) => each.answer !== null).length;
  const answered = run.members.filter((each) => each.phase === "answered").length;
  const abstained = run.members.filter((each) => each.phase === "abstained").map((each) => shown(each.seat.name));
  const reviewer = run.reviews.find((each) => each.review === null)?.reviewer;
  if (reviewer !== undefined) return words.reviewing(shown(reviewer));
  if (run.members.length === 0) return words.starting;
  return done < run.members.length ? words.asking(answered, run.members.length, abstained.join(", ")) : words.deciding;
}

function Final({ run, acts }: { run: Run; acts: AnswerActs }) {
  const { result } = run;
  if (!result) return null;
  const outcome = fromResult(result);
  const chosen = result.decision.candidates.find((each) => each.id === result.decision.chosen);
  const speaker = result.answers.find((each) => each.seat.name === result.decision.shown_seat);
  return (
    <AnswerView
      text={chosen ? spoken(chosen.text, speaker?.explanation ?? "") : ""}
      queryId={result.query_id}
      level={run.level}
      facts={outcome}
      outcome={outcome}
      members={outcome.members.length}
      entered={outcome.memory.length}
      disagreement={outcome.candidates.length > 1}
      notices={result.notices}
      acts={acts}
    />
  );
}

/** Says once to screen readers that an answer is there, or that there will be none. */
function useAnnouncements(run: Run | null): void {
  const state = run?.state;
  const text = run?.result ? en.answer.final(run.result.decision.confidence.label) : (run?.acknowledged ?? run?.problem?.message ?? "");
  useEffect(() => {
    if (state !== undefined && state !== "running" && text) announce(text);
  }, [state, text]);
}
