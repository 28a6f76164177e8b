import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Icon, type IconName } from "../ui/icons";
import { useGiveGrade } from "./grading";
import type { Outcome } from "./outcome";
import { shown } from "../markdown/text";

interface CalloutsProps {
  queryId: string | null;
  /** Null until it was read; what the message itself says stands there at once. */
  outcome: Outcome | null;
  disagreement: boolean;
  notices: readonly string[];
}

/** What a person must know before relying on an answer, and what the council asks of the person. */
export function Callouts({ queryId, outcome, disagreement, notices }: CalloutsProps) {
  const words = en.answer;
  const reviews = (outcome?.reviews ?? []).filter((each) => each.issues.length > 0 || each.correction !== "");
  const said = outcome?.said ?? [];
  return (
    <>
      {disagreement && (
        <Callout icon="differ" kind="differ">
          {outcome === null ? words.notSame : outcome.open ? words.differ : words.disagree}{" "}
          {queryId && (
            <Link to="/disagreement/$query" params={{ query: queryId }}>
              {outcome?.open ? words.compareTexts : words.compare}
            </Link>
          )}
        </Callout>
      )}
      {reviews.map((each) => (
        <Callout key={each.reviewer} icon="doubt" kind="doubt">
          {words.reviewBy(shown(each.reviewer))}
          {": "}
          {shown(each.issues.join(" "))}
          {each.correction && (
            <>
              {" "}
              {words.reviewSays}
              {": "}
              {shown(each.correction)}
            </>
          )}
        </Callout>
      ))}
      {outcome && outcome.degraded.length > 0 && (
        <Callout icon="warning" kind="doubt">
          {words.degraded(shown(outcome.degraded.join(", ")))}
        </Callout>
      )}
      {notices.map((each) => (
        <Callout key={each} icon="info">
          {shown(each)}
        </Callout>
      ))}
      {said.map((each) => (
        <Callout key={each} icon="check">
          {words.grade.said(shown(each))}
        </Callout>
      ))}
      {outcome?.asksGrade && said.length === 0 && <GradeRequest outcome={outcome} reason={outcome.asksGrade} />}
    </>
  );
}

export function Callout({ icon, kind = "plain", children }: { icon: IconName; kind?: "plain" | "differ" | "doubt"; children: ReactNode }) {
  return (
    <div className={`callout callout-${kind}`}>
      <Icon name={icon} size={18} />
      <div>{children}</div>
    </div>
  );
}

function GradeRequest({ outcome, reason }: { outcome: Outcome; reason: "disagreement" | "audit" }) {
  const words = en.answer.grade;
  const { give, busy } = useGiveGrade();
  const say = (right: boolean) => give({ kind: "verdict", question: outcome.queryId, right });
  return (
    <Callout icon="doubt" kind="doubt">
      <p>{reason === "disagreement" && outcome.open ? words.different : words[reason]}</p>
      <div className="callout-acts">
        <Button size="s" icon="check" busy={busy} onClick={() => say(true)}>
          {words.right}
        </Button>
        <Button size="s" icon="close" busy={busy} onClick={() => say(false)}>
          {words.wrong}
        </Button>
      </div>
    </Callout>
  );
}
