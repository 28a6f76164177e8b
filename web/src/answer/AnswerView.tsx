import { useRef, useState } from "react";
import { Markdown } from "../markdown";
import type { AccuracyLevel } from "../streams/events";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Skeleton } from "../ui/states";
import { Actions, type AnswerActs } from "./Actions";
import "./answer.css";
import { Callouts } from "./Callouts";
import { Facts } from "./Facts";
import { ComingChips, MemoryChips } from "./MemoryChips";
import type { Outcome } from "./outcome";
import { SettledColumns } from "./SettledColumns";
import { useBeginningInView } from "./view";

interface AnswerViewProps {
  text: string;
  queryId: string | null;
  level: AccuracyLevel | null;
  /** What is known without looking further: the line under the answer. */
  facts: Parameters<typeof Facts>[0]["of"] | null;
  /** Everything else; null until it was read. */
  outcome: Outcome | null;
  /** How many members answered, and how many remembered things entered, as the message says it. */
  members: number;
  entered: number;
  disagreement: boolean;
  notices: readonly string[];
  acts: AnswerActs;
}

/** The chosen answer, as it is read: its words, what they rest on, and what can be done. */
export function AnswerView(props: AnswerViewProps) {
  const { text, queryId, level, facts, outcome, members, entered, disagreement, notices, acts } = props;
  const [all, setAll] = useState(false);
  const columns = useRef<HTMLDivElement>(null);
  useBeginningInView(columns, all && outcome !== null, true);
  return (
    <article className="answer" aria-label={en.answer.chosen}>
      <div className="answer-words reading">
        {text ? <Markdown text={text} /> : <p className="soft">{en.answer.nothing}</p>}
      </div>
      {facts && <Facts of={facts} />}
      <Callouts queryId={queryId} outcome={outcome} disagreement={disagreement} notices={notices} />
      {outcome ? <MemoryChips memory={outcome.memory} passages={outcome.passages} /> : entered > 0 && <ComingChips count={entered} />}
      <div className="answer-foot">
        <Actions text={text} queryId={queryId} outcome={outcome} level={level} acts={acts} />
        {queryId && members > 0 && (
          <Button kind="quiet" size="s" icon={all ? "down" : "right"} aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? en.answer.hideAll : members === 1 ? en.answer.showOne : en.answer.showAll}
          </Button>
        )}
      </div>
      {all && (
        <div ref={columns} className="answer-all">
          {outcome ? <SettledColumns outcome={outcome} /> : <Skeleton lines={4} />}
        </div>
      )}
    </article>
  );
}
