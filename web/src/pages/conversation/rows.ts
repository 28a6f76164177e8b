import type { Run } from "../../streams/run";
import type { Message } from "./thread";

/** One row of a conversation: what was said, or a run that goes on or has left nothing but its failure. */
export type Row =
  | { readonly id: string; readonly kind: "message"; readonly message: Message; readonly unanswered: boolean }
  | { readonly id: string; readonly kind: "run"; readonly runId: string; readonly asks: boolean };

/** What a row must know of a run; the rest it reads itself. */
export type LiveRun = Pick<Run, "id" | "queryId">;

/** Whether a run is shown by itself; the others stand in the conversation already. `absorbed`: ids of runs read from there. */
export function isLive(run: Run, absorbed: ReadonlySet<string>): boolean {
  if (run.state === "running" || !absorbed.has(run.id)) return true;
  // Nothing was written of a question that was refused before it began: only the run can say so.
  return run.state === "failed" && run.queryId === null;
}

/** The rows of a conversation. A question that runs is shown by its run instead of by its messages. */
export function rowsOf(messages: readonly Message[], runs: readonly LiveRun[]): readonly Row[] {
  const running = new Set(runs.flatMap((run) => (run.queryId === null ? [] : [run.queryId])));
  const lastAnswer = messages.findLastIndex((each) => each.role !== "user");
  const kept = messages.filter((each, at) => {
    if (!running.has(each.question?.query_id ?? "")) return true;
    return each.role === "user" && at < lastAnswer;
  });
  const said = kept.map((message, at): Row => ({ id: message.id, kind: "message", message, unanswered: unanswered(kept, at) }));
  const shown = new Set(kept.filter((each) => each.role === "user").map((each) => each.question?.query_id));
  const live = runs.map((run): Row => ({ id: `run ${run.id}`, kind: "run", runId: run.id, asks: !shown.has(run.queryId ?? "") }));
  return [...said, ...live];
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
  const lines = Math.ceil(row.message.text.length / 68) + (row.message.text.match(/\n/g)?.length ?? 0);
  return row.message.role === "user" ? 56 + 24 * lines : 150 + 28 * lines;
}
