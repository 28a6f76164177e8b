import { Link, useNavigate } from "@tanstack/react-router";
import { useAskAgain } from "../answer/requests";
import { Proof } from "../proof/Proof";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { GradeIt } from "./GradeIt";
import { fieldsOf, harder, type Question } from "./reasons";

/** What a person can do now: say whether it is right, prove it, look further, ask again. */
export function Options({ question }: { question: Question }) {
  const words = en.why.can;
  const { decision, receipt, query_id, trace_id } = question;
  const [field] = fieldsOf(question.domains);
  const failed = question.answers.some((each) => each.failure !== null);
  return (
    <>
      {decision.chosen !== null && <GradeIt question={question} />}
      <h4>{en.proof.title}</h4>
      {receipt ? <Proof {...receipt} traceId={trace_id} /> : <p className="soft">{en.proof.none}</p>}
      <ul className="why-links">
        {decision.candidates.length > 1 && decision.chosen !== null && (
          <li>
            <Link to="/disagreement/$query" params={{ query: query_id }}>
              {words.compare}
            </Link>
          </li>
        )}
        <li>
          <Link to="/hood/$section" params={{ section: "record" }} {...(field ? { hash: field.id } : {})}>
            {field ? words.record(field.name) : words.recordPlain}
          </Link>
        </li>
        <li>
          <Link to="/hood/$section" params={{ section: "domains" }} {...(field ? { hash: field.id } : {})}>
            {words.domains}
          </Link>
        </li>
        {failed && (
          <li>
            <Link to="/settings/$section" params={{ section: "models" }}>
              {words.members}
            </Link>
          </li>
        )}
      </ul>
      {question.status !== "started" && <AskAgain question={question} />}
    </>
  );
}

function AskAgain({ question }: { question: Question }) {
  const words = en.why.can;
  const again = useAskAgain();
  const navigate = useNavigate();
  const next = question.status === "finished" ? harder(question.level) : null;
  const ask = () =>
    again.mutate(
      { queryId: question.query_id, ...(next ? { level: next } : {}) },
      { onSuccess: () => void navigate({ to: "/c/$id", params: { id: question.conversation_id } }) },
    );
  return (
    <div className="why-acts">
      <Button size="s" icon="retry" busy={again.isPending} onClick={ask}>
        {next ? words.again(next) : words.againPlain}
      </Button>
    </div>
  );
}
