import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useQuestion } from "../answer/requests";
import { ApiError } from "../api/errors";
import { en } from "../strings/en";
import { EmptyState, ErrorState, Skeleton } from "../ui/states";
import { Considered } from "./Considered";
import { Chosen } from "./Chosen";
import { Options } from "./Options";
import type { Question } from "./reasons";
import { useReasons } from "./requests";
import { Saw } from "./Saw";
import { WhyNow } from "./WhyNow";

/** Everything that is told of one question, as it loads, fails, or was erased since. */
export function Explanation({ subject }: { subject: string }) {
  const { data: question, error, refetch } = useQuestion(subject, true);
  if (question) return <Sections question={question} />;
  if (error instanceof ApiError && error.code === "no_question") return <Gone />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Loading />;
}

function Sections({ question }: { question: Question }) {
  const titles = en.why.sections;
  const { data: reasons } = useReasons(question.query_id, question.trace_id !== null);
  return (
    <div className="why">
      <Section title={titles.now}>
        <WhyNow question={question} />
      </Section>
      <Section title={titles.saw}>
        <Saw question={question} reasons={reasons} />
      </Section>
      <Section title={titles.considered}>
        <Considered question={question} reasons={reasons} />
      </Section>
      <Section title={titles.chose}>
        <Chosen question={question} reasons={reasons} />
      </Section>
      <Section title={titles.can}>
        <Options question={question} />
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="why-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

function Loading() {
  return (
    <div className="why">
      {Object.values(en.why.sections).map((title, at) => (
        <div key={title} className="why-section">
          <h3>{title}</h3>
          {at === 0 ? <Skeleton lines={3} /> : <div className="skeleton-line why-waiting" />}
        </div>
      ))}
    </div>
  );
}

function Gone() {
  const words = en.why;
  const link = (
    <Link to="/hood/$section" params={{ section: "audit" }}>
      {words.goneLog}
    </Link>
  );
  return (
    <EmptyState icon="info" title={words.gone} action={link}>
      {words.goneRemedy}
    </EmptyState>
  );
}
