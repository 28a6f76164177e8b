import type { Schemas } from "../api/client";
import { en } from "../strings/en";
import { Members } from "./Members";
import { fieldsOf, type Question, told } from "./reasons";
import { RememberedThings } from "./RememberedThings";

interface SawProps {
  question: Question;
  reasons: Schemas["Reasons"] | undefined;
}

/** What the question is about, who was asked, and what of memory was in the prompts. */
export function Saw({ question, reasons }: SawProps) {
  const words = en.why;
  const fields = fieldsOf(question.domains).map(({ name, share }) => (share < 1 ? words.field(name, share) : name));
  const learned = told(reasons, "What I saw", "learned from")[0]?.split(";")[0];
  return (
    <>
      <p>
        {fields.length > 0 ? words.fields(fields.join(", ")) : words.notClassified} {words.shape[question.shape]}{" "}
        {learned && words.learned(learned)}
      </p>
      <h4>{words.members.title}</h4>
      <Members answers={question.answers} costMicros={question.cost_micros} />
      <h4>{words.memory.title}</h4>
      <RememberedThings question={question} />
    </>
  );
}
