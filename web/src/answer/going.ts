import { canConclude } from "../streams/run";
import { useRun } from "../streams/hooks";
import { useConclude, useStop } from "./requests";

/** What can be done with a question while it is being answered. */
export interface Going {
  readonly stop: () => void;
  /** Answers with what members have said by now; null while nobody has answered, or nobody is waited for. */
  readonly conclude: (() => Promise<void>) | null;
}

/** What can be done with a run; null where none goes on. */
export function useGoing(runId: string | null): Going | null {
  const run = useRun(runId);
  const { mutate: stop } = useStop();
  const { mutateAsync: conclude } = useConclude();
  if (run?.state !== "running") return null;
  return { stop: () => stop(run.id), conclude: canConclude(run) ? () => conclude(run.id) : null };
}
