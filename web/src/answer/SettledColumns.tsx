import { Markdown } from "../markdown";
import { en } from "../strings/en";
import { duration } from "../strings/numbers";
import { Badge } from "../ui/Badge";
import { VerdictMark } from "../ui/marks";
import { Money } from "../ui/words";
import { Columns } from "./Columns";
import type { MemberAnswer, Outcome } from "./outcome";
import { useSeatNumbers } from "./seats";

/** The members of a question that has ended, the one whose words are shown first. */
export function SettledColumns({ outcome }: { outcome: Outcome }) {
  const numberOf = useSeatNumbers();
  const columns = outcome.members
    .toSorted((a, b) => rank(a) - rank(b))
    .map((member) => ({
      seat: member.seat,
      number: numberOf(member.seat),
      phase: phaseOf(member),
      mark: member.shown ? <Badge tone="accent">{en.answer.shown}</Badge> : undefined,
      body: <Said member={member} />,
    }));
  return <Columns columns={columns} />;
}

function rank({ shown, state }: MemberAnswer): number {
  if (shown) return 0;
  return { answered: 1, failed: 2, abstained: 3 }[state];
}

function phaseOf({ state, seconds }: MemberAnswer): string {
  const words = en.answer.phase;
  return state === "answered" ? words.answered(duration(seconds)) : words[state];
}

function Said({ member }: { member: MemberAnswer }) {
  const words = en.answer;
  if (member.state === "failed") return <p className="member-failure">{member.failure}</p>;
  if (member.state === "abstained") return <p className="member-note">{words.phase.abstainedText}</p>;
  return (
    <>
      <Markdown text={member.text} />
      <p className="member-note tabular">
        {member.right !== null && (
          <span className="fact">
            <VerdictMark verdict={member.right ? "agree" : "differ"} size={14} />
            {member.right ? words.right : words.wrong}
          </span>
        )}
        {member.stated !== null && <span>{words.stated(member.stated)}</span>}
        <Money micros={member.costMicros} />
      </p>
    </>
  );
}
