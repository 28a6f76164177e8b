import { shown } from "../markdown/text";
import { en } from "../strings/en";
import "./claim.css";
import { askedOf, type Said } from "./words";

/** What is remembered, so that it can be told from others: the question that it answers, small, then its words. */
export function Claim({ said, gone = false }: { said: Said; gone?: boolean }) {
  return (
    <span className="claim">
      <Asked said={said} />
      <span dir="auto">{gone ? <s>{shown(said.claim)}</s> : shown(said.claim)}</span>
    </span>
  );
}

/** The question that a remembered thing answers; nothing where it stands for itself. */
export function Asked({ said }: { said: Said }) {
  const asked = askedOf(said);
  if (asked === "") return null;
  return (
    <span className="claim-asked" dir="auto">
      {en.memory.asked(asked)}{" "}
    </span>
  );
}
