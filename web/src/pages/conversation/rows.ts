import type { Run } from "../../streams/run";
import type { Message } from "./thread";

/** What was said. versions: the answers to one question that stand beside each other, oldest first; else it alone. */
export interface MessageRow {
  readonly id: string;
  readonly kind: "message";
  readonly versions: readonly [Message, ...Message[]];
  readonly unanswered: boolean;
  /** The question from further above that is answered here; null where it stands right before. */
  readonly again: string | null;
}

/** One row of a conversation: what was said, or a run that goes on or has left nothing but its failure. */
export type Row =
  | MessageRow
  | { readonly id: string; readonly kind: "run"; readonly runId: string; readonly asks: boolean; readonly again: string | null };

/** What a row must know of a run; the rest it reads itself. told: something was remembered. absorbed: its messages are there. */
export interface LiveRun extends Pick<Run, "id" | "queryId" | "text"> {
  readonly told: boolean;
  readonly absorbed: boolean;
}

export function liveRun(run: Run, absorbed: ReadonlySet<string>): LiveRun {
  const { id, queryId, text, remembered, proposed, acknowledged } = run;
  const told = remembered.length > 0 || proposed.length > 0 || acknowledged !== null;
  return { id, queryId, text, told, absorbed: absorbed.has(id) };
}

/** Whether a run is shown by itself; the others stand in the conversation already. `absorbed`: ids of runs read from there. */
export function isLive(run: Run, absorbed: ReadonlySet<string>): boolean {
  if (run.state === "running" || !absorbed.has(run.id)) return true;
  // Nothing was written of a question that was refused before it began: only the run can say so.
  return run.state === "failed" && run.queryId === null;
}

/** The rows of a conversation. What runs is shown by its run, and by none of its messages that were read meanwhile. */
export function rowsOf(messages: readonly Message[], runs: readonly LiveRun[]): readonly Row[] {
  const lastAnswer = messages.findLastIndex((each) => each.role !== "user");
  const shownBy = (run: LiveRun, message: Message, at: number) => !run.absorbed && isOf(run, message, at > lastAnswer);
  const kept = messages.filter((message, at) => !runs.some((run) => shownBy(run, message, at)));
  const said = kept.reduce<MessageRow[]>((rows, message, at) => joined(rows, message, kept, at), []);
  const stands = new Set(kept.filter((each) => each.role === "user").map((each) => each.question?.query_id));
  const live = runs.map((run): Row => {
    const asks = run.told || !stands.has(run.queryId ?? "");
    return { id: `run ${run.id}`, kind: "run", runId: run.id, asks, again: runAgain(run, kept) };
  });
  return [...said, ...live];
}

/** The rows with one message more: a version of the answer right before it, or a row of its own. */
function joined(rows: MessageRow[], message: Message, kept: readonly Message[], at: number): MessageRow[] {
  const before = rows.at(-1);
  if (before && sameQuestion(before.versions[0], message)) {
    return [...rows.slice(0, -1), { ...before, versions: [...before.versions, message] }];
  }
  rows.push({ id: message.id, kind: "message", versions: [message], unanswered: unanswered(kept, at), again: again(message, kept, at) });
  return rows;
}

/** Whether two messages answer one question. */
function sameQuestion(one: Message, other: Message): boolean {
  const asked = other.question?.asked_in ?? null;
  return asked !== null && one.role !== "user" && other.role !== "user" && one.question?.asked_in === asked;
}

/** The words of the question that an answer answers anew, where another message stands between; null else. */
function again(message: Message, kept: readonly Message[], at: number): string | null {
  const asked = message.question?.asked_in ?? null;
  if (message.role === "user" || asked === null || message.question?.copied) return null;
  const last = kept.slice(0, at).findLast((each) => each.role === "user");
  return last === undefined || last.id === asked ? null : (kept.find((each) => each.id === asked)?.text ?? "");
}

/** The same of a run. */
function runAgain(run: LiveRun, kept: readonly Message[]): string | null {
  const users = kept.filter((each) => each.role === "user");
  const asked = users.find((each) => run.queryId !== null && each.question?.query_id === run.queryId);
  return asked === undefined || (asked === users.at(-1) && !run.told) ? null : asked.text;
}

/** The id of the row in which a message stands. */
export function rowOf(rows: readonly Row[], message: string): string {
  return rows.find((row) => row.kind === "message" && row.versions.some((each) => each.id === message))?.id ?? message;
}

/** Whether a message came of a run, or is what it answers. last: no answer stands behind the message. */
function isOf(run: LiveRun, message: Message, last: boolean): boolean {
  const question = message.question ?? null;
  const asks = message.role === "user";
  if (question !== null && question.query_id === run.queryId) return !asks || last;
  // Ids grow with time: what has a later one and belongs to no other question was said in this run.
  if (message.id > run.id) return question === null || question.state === "started";
  // Asked once more after nothing had come of it.
  return asks && last && question !== null && message.text === run.text;
}

/** Whether a message asked something and nothing came of it. */
function unanswered(messages: readonly Message[], at: number): boolean {
  const message = messages[at];
  if (message?.role !== "user" || !message.question || message.question.state === "finished") return false;
  return messages[at + 1]?.role !== "assistant";
}

/** Pixels of a row before it is drawn: lines of its text at the width in which it is read. */
export function estimated(row: Row): number {
  if (row.kind === "run") return 360;
  const { role, text } = row.versions.at(-1) ?? row.versions[0];
  const lines = Math.ceil(text.length / 68) + (text.match(/\n/g)?.length ?? 0);
  return role === "user" ? 56 + 24 * lines : 150 + 28 * lines;
}
