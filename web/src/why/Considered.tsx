import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import { en } from "../strings/en";
import { Badge } from "../ui/Badge";
import { VerdictMark } from "../ui/marks";
import { Meter } from "../ui/Meter";
import { Absences } from "./Absences";
import { LongText } from "./LongText";
import { Member } from "./Member";
import { type Question, told } from "./reasons";
import { shown } from "../markdown/text";

interface ConsideredProps {
  question: Question;
  reasons: Schemas["Reasons"] | undefined;
}

/** The candidates with who supports each, what would have come of it without a member, and what reviewers said. */
export function Considered({ question, reasons }: ConsideredProps) {
  const words = en.why.candidates;
  const { candidates, calibrated } = question.decision;
  if (candidates.length === 0) return <p>{words.none}</p>;
  return (
    <>
      <ol className="why-candidates">
        {candidates.toSorted((a, b) => b.score - a.score).map((each) => (
          <Candidate key={each.id} candidate={each} calibrated={calibrated} />
        ))}
      </ol>
      <p className="soft why-line">
        {calibrated ? words.calibrated : words.uncalibrated}{" "}
        {candidates.length > 1 && question.decision.chosen !== null && (
          <Link to="/disagreement/$query" params={{ query: question.query_id }}>
            {words.compare}
          </Link>
        )}
      </p>
      <Absences decision={question.decision} />
      <Reviews reviews={question.reviews} compared={told(reasons, "What I saw", "compared blind")} />
    </>
  );
}

function Candidate({ candidate, calibrated }: { candidate: Schemas["CandidateShown"]; calibrated: boolean }) {
  const words = en.why.candidates;
  const { text, supporters, p, score, chosen } = candidate;
  const figure = p === null ? words.score(score) : calibrated ? words.p(p) : words.score(p);
  return (
    <li className="why-candidate">
      <div className="why-candidate-head">
        <span className="why-quote">
          <LongText text={text} />
        </span>
        {chosen && <Badge tone="accent">{words.chosen}</Badge>}
      </div>
      {p !== null && (
        <Meter
          label={calibrated ? words.pMeter(text.slice(0, 80)) : words.scoreMeter(text.slice(0, 80))}
          value={p}
          words={figure}
          tone={chosen ? "accent" : "doubt"}
        />
      )}
      <p className="why-supporters">
        {supporters.map((seat) => (
          <Member key={seat} seat={seat} />
        ))}
        <span className="tabular why-figure">{figure}</span>
      </p>
    </li>
  );
}

const GLYPHS = { correct: "agree", partially_correct: "doubt", incorrect: "differ", unreviewed: "doubt" } as const;

function Reviews({ reviews, compared }: { reviews: Question["reviews"]; compared: readonly string[] }) {
  const words = en.why.reviews;
  return (
    <>
      <h4>{words.title}</h4>
      {reviews.length === 0 && <p className="soft">{words.none}</p>}
      {reviews.map((each) => (
        <div key={`${each.reviewer} ${each.run_id}`} className="why-review">
          <VerdictMark verdict={GLYPHS[each.verdict]} />
          <div>
            <p>
              {words.of(shown(each.reviewer), shown(each.seat))}
              {": "}
              <strong>{words.verdicts[each.verdict]}</strong>
            </p>
            {each.issues.map((issue) => (
              <p key={issue} className="why-quote">
                {shown(issue)}
              </p>
            ))}
            {each.correction && (
              <p className="why-quote">
                {words.correction}
                {": "}
                {shown(each.correction)}
              </p>
            )}
          </div>
        </div>
      ))}
      {compared.map((opinion) => (
        <p key={opinion} className="why-line soft">
          {words.compared}
          {": "}
          {shown(opinion)}
        </p>
      ))}
    </>
  );
}
