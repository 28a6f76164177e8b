import { Link, useParams } from "@tanstack/react-router";
import { ApiError } from "../../api/errors";
import { useQuestion } from "../../answer/requests";
import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states";
import { Comparison } from "./Comparison";
import "./disagreement.css";
import { useComparison } from "./requests";

/** The candidates of one question side by side, and a person's word on them. */
export default function DisagreementPage() {
  const { query } = useParams({ from: "/disagreement/$query" });
  return (
    <Page title={en.disagreement.title}>
      <Body key={query} query={query} />
    </Page>
  );
}

function Body({ query }: { query: string }) {
  const compared = useComparison(query);
  const question = useQuestion(query, true);
  const error = question.error ?? compared.error;
  const retry = () => void Promise.all([compared.refetch(), question.refetch()]);
  if (compared.data && question.data) return <Comparison compared={compared.data} question={question.data} />;
  if (error) return <Failed error={error} onRetry={retry} query={query} />;
  return (
    <>
      <Skeleton lines={1} />
      <div className="candidate-columns" aria-hidden="true">
        <Skeleton lines={6} />
        <Skeleton lines={6} />
      </div>
    </>
  );
}

function Failed({ error, onRetry, query }: { error: Error; onRetry: () => void; query: string }) {
  const words = en.disagreement;
  const code = error instanceof ApiError ? error.code : "";
  if (code === "nothing_to_grade")
    return (
      <EmptyState icon="info" title={words.nothingTitle} action={<WhyLink query={query} />}>
        {words.nothing}
      </EmptyState>
    );
  if (code === "no_question")
    return (
      <EmptyState icon="info" title={words.goneTitle}>
        {words.gone}
      </EmptyState>
    );
  return <ErrorState error={error} onRetry={onRetry} />;
}

function WhyLink({ query }: { query: string }) {
  return (
    <Link to="." search={{ why: query }} className="button button-secondary button-m">
      {en.disagreement.why}
    </Link>
  );
}
