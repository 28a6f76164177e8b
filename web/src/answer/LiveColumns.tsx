import { Markdown, StreamingMarkdown } from "../markdown";
import { useText } from "../streams/hooks";
import type { Member, Run } from "../streams/run";
import { en } from "../strings/en";
import { duration } from "../strings/numbers";
import { Progress } from "../ui/Progress";
import { Skeleton } from "../ui/states";
import { Columns } from "./Columns";
import { spoken } from "./outcome";
import { useSeatNumbers } from "./seats";

const MS = 1000;

/** The members of a run while they read and write. */
export function LiveColumns({ run }: { run: Run }) {
  const numberOf = useSeatNumbers();
  const columns = run.members.map((member) => ({
    seat: member.seat.name,
    number: numberOf(member.seat.name),
    phase: phaseOf(member, run.state !== "running"),
    body: <Writing run={run.id} member={member} ended={run.state !== "running"} />,
  }));
  return <Columns columns={columns} />;
}

function phaseOf({ phase, answer }: Member, ended: boolean): string {
  const words = en.answer.phase;
  if (answer && phase === "answered") return words.answered(duration(answer.usage.total_ms / MS));
  if (ended && answer === null) return words.stopped;
  return phase === "answered" ? words.waiting : words[phase];
}

function Writing({ run, member, ended }: { run: string; member: Member; ended: boolean }) {
  const { answer, phase, reading, retries, seat } = member;
  const buffer = useText(run, seat.name);
  return (
    <>
      {retries.map((reason, at) => (
        <p key={at} className="member-note">
          {en.answer.retried(reason)}
        </p>
      ))}
      {answer?.failure && <p className="member-failure">{answer.failure.message}</p>}
      {answer?.abstained && <p className="member-note">{en.answer.phase.abstainedText}</p>}
      {phase === "reading" && reading && (
        <Progress label={en.answer.readingOf(seat.name)} done={reading.done} total={reading.total} />
      )}
      {buffer && <StreamingMarkdown buffer={buffer} />}
      {!buffer && answer && phase === "answered" && <Markdown text={spoken(answer.text, answer.explanation)} />}
      {!buffer && !answer && !ended && phase !== "reading" && <Skeleton lines={2} />}
    </>
  );
}
