import { VerdictMark } from "../ui/marks";
import { en } from "../strings/en";
import { Popover } from "../ui/Popover";
import { type Fact, factsOf } from "./facts";
import { shown } from "../markdown/text";

/** Words of which there are more: they are read where one points, and stand in Why? as well. */
function Whole({ fact }: { fact: Fact & { readonly whole: string } }) {
  const trigger = (
    <button type="button" className="fact-more" title={shown(fact.whole)}>
      {shown(fact.text)}
    </button>
  );
  return (
    <Popover label={en.answer.onWhat} trigger={trigger}>
      <p className="fact-whole">{shown(fact.whole)}</p>
    </Popover>
  );
}

/** The line under an answer: how sure, on what basis, what the reviewer said, what it took, and how it is proved. */
export function Facts({ of }: { of: Parameters<typeof factsOf>[0] }) {
  return (
    <ul className="facts tabular">
      {factsOf(of).map((fact) => (
        <li key={fact.key} className={`fact fact-${fact.key.split(" ")[0] ?? ""}`} title={fact.title === undefined ? undefined : shown(fact.title)}>
          {fact.verdict && <VerdictMark verdict={fact.verdict} size={14} />}
          {fact.whole === undefined ? shown(fact.text) : <Whole fact={{ ...fact, whole: fact.whole }} />}
        </li>
      ))}
    </ul>
  );
}
