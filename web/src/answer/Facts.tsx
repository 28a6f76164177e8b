import { VerdictMark } from "../ui/marks";
import { factsOf } from "./facts";
import { shown } from "../markdown/text";

/** The line under an answer: how sure, on what basis, what the reviewer said, what it took, and how it is proved. */
export function Facts({ of }: { of: Parameters<typeof factsOf>[0] }) {
  return (
    <ul className="facts tabular">
      {factsOf(of).map((fact) => (
        <li key={fact.key} className={`fact fact-${fact.key.split(" ")[0] ?? ""}`} title={fact.title === undefined ? undefined : shown(fact.title)}>
          {fact.verdict && <VerdictMark verdict={fact.verdict} size={14} />}
          {shown(fact.text)}
        </li>
      ))}
    </ul>
  );
}
