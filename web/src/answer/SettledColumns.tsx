import { Markdown } from "../markdown";
import { en } from "../strings/en";
import { duration } from "../strings/numbers";
import { Badge } from "../ui/Badge";
import { VerdictMark } from "../ui/marks";
import { Money } from "../ui/words";
import { Columns } from "./Columns";
import { MemberLine } from "./MemberLine";
import type { MemberAnswer, Outcome } from "./outcome";
import { useSeatNumbers } from "./seats";
import { shown } from "../markdown/text";

/** The members of a question that has ended, the one whose words are shown first. */
export function SettledColumns({ outcome }: { outcome: Outcome }) {
  const numberOf = useSeatNumbers();
  const silent = outcome.members.filter((each) => each.state === "abstained");
  const columns = outcome.members
    .filter((each) => each.state !== "abstained")
    .toSorted((a, b) => rank(a) - rank(b))
    .map((member) => ({
      seat: member.seat,
      number: numberOf(member.seat),
      phase: phaseOf(member),
      mark: member.shown ? <Badge tone="accent">{en.answer.shown}</Badge> : undefined,
      body: <Said member={member} />,
    }));
  return (
    <>
      {columns.length > 0 && <Columns columns={columns} />}
      <MemberLine members={silent.map(({ seat }) => ({ seat, phase: en.answer.phase.abstained }))} />
    </>
  );
}

function rank({ shown, state }: MemberAnswer): number {
  if (shown) return 0;
  return state === "answered" ? 1 : 2;
}

function phaseOf({ state, seconds }: MemberAnswer): string {
  const words = en.answer.phase;
  return state === "answered" ? words.answered(duration(seconds)) : words[state];
}

function Said({ member }: { member: MemberAnswer }) {
  const words = en.answer;
  if (member.state === "failed" || member.state === "unawaited")
    return (
      <>
        <p className="member-failure">{shown(member.failure)}</p>
        {member.remedy && <p className="member-note">{member.remedy}</p>}
      </>
    );
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
