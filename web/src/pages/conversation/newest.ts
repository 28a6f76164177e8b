import type { Run } from "../../streams/run";
import type { Stretch, Stretches } from "./thread";

/**
 * The stretches of a conversation with its newest messages as they are now; everything before them stays. Null where that
 * would not be the whole truth: there is a gap, or the end was not reached yet, or a question was asked anew far above.
 */
export function withNewest(stretches: Stretches, newest: Stretch, runs: ReadonlyMap<string, Run>): Stretches | null {
  const { pages, pageParams } = stretches;
  const last = pages.at(-1);
  if (last === undefined || last.after != null) return null;
  const first = newest.messages[0]?.number ?? 1;
  if (first > (last.messages.at(-1)?.number ?? 0) + 1) return null;
  if (pages.length > 1 && !tells(newest, last, runs)) return null;
  const older = last.messages.filter((each) => each.number < first);
  const before = pages.slice(0, -1);
  if (older.length === 0) return { pages: [...before, newest], pageParams };
  const beside = before.pop();
  if (beside) return { pages: [...before, { ...beside, messages: [...beside.messages, ...older] }, newest], pageParams };
  // The conversation outgrew its one stretch: what fell out of it becomes one of its own.
  const place = pageParams[0] ?? { before: newest.messages[0]?.id ?? "" };
  return { pages: [{ ...last, messages: older, after: older.at(-1)?.id ?? null }, newest], pageParams: [place, null] };
}

/** Whether the questions of all runs that have ended since `last` was read stand in `newest`. */
function tells(newest: Stretch, last: Stretch, runs: ReadonlyMap<string, Run>): boolean {
  const conversation = newest.conversation.id;
  const asked = new Set(newest.messages.filter((each) => each.role === "user").map((each) => each.question?.query_id));
  const news = newest.ended.filter((each) => !last.ended.includes(each)).map((each) => runs.get(each));
  return news.every((run) => run?.queryId == null || run.conversationId !== conversation || asked.has(run.queryId));
}
