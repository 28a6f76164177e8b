import { useState } from "react";
import { Markdown, StreamingMarkdown } from "../markdown";
import { useText } from "../streams/hooks";
import type { Member, Run } from "../streams/run";
import { en } from "../strings/en";
import { duration } from "../strings/numbers";
import { Progress } from "../ui/Progress";
import { Columns } from "./Columns";
import { MemberLine } from "./MemberLine";
import { spoken } from "./outcome";
import { useSeatNumbers } from "./seats";
import { shown } from "../markdown/text";

const MS = 1000;

/** The members of a run while they read and write. Those who are silent so far, or abstain, take one line together. */
export function LiveColumns({ run }: { run: Run }) {
  const numberOf = useSeatNumbers();
  const ended = run.state !== "running";
  const order = useOrder(run.members.filter(hasColumn).map((each) => each.seat.name));
  const columns = run.members.filter(hasColumn).map((member) => ({
    seat: member.seat.name,
    number: numberOf(member.seat.name),
    phase: phaseOf(member, ended),
    body: <Writing run={run.id} member={member} />,
  }));
  const others = run.members.filter((each) => !hasColumn(each)).map((each) => ({ seat: each.seat.name, phase: phaseOf(each, ended) }));
  return (
    <>
      {columns.length > 0 && <Columns growing={!ended} columns={columns.toSorted((a, b) => order.indexOf(a.seat) - order.indexOf(b.seat))} />}
      <MemberLine members={others} />
    </>
  );
}

function hasColumn({ phase, retries }: Member): boolean {
  return (phase !== "waiting" || retries.length > 0) && phase !== "abstained";
}

/** The order in which members began: whoever begins later stands behind, so that no column jumps aside. */
function useOrder(seats: readonly string[]): readonly string[] {
  const [order, setOrder] = useState<readonly string[]>(seats);
  const news = seats.filter((each) => !order.includes(each));
  if (news.length > 0) setOrder([...order, ...news]);
  return news.length > 0 ? [...order, ...news] : order;
}

function phaseOf({ phase, answer }: Member, ended: boolean): string {
  const words = en.answer.phase;
  if (answer && phase === "answered") return words.answered(duration(answer.usage.total_ms / MS));
  if (ended && answer === null) return words.stopped;
  return phase === "answered" ? words.waiting : words[phase];
}

function Writing({ run, member }: { run: string; member: Member }) {
  const { answer, phase, reading, retries, seat } = member;
  const buffer = useText(run, seat.name);
  return (
    <>
      {retries.map((reason, at) => (
        <p key={at} className="member-note">
          {en.answer.retried(shown(reason))}
        </p>
      ))}
      {answer?.failure && <p className="member-failure">{shown(answer.failure.message)}</p>}
      {phase === "reading" && reading && (
        <Progress label={en.answer.readingOf(seat.name)} done={reading.done} total={reading.total} />
      )}
      {buffer && <StreamingMarkdown buffer={buffer} />}
      {!buffer && answer && phase === "answered" && <Markdown text={spoken(answer.text, answer.explanation)} />}
    </>
  );
}
