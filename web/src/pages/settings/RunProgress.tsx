import { useEffect, useRef } from "react";
import { useStop } from "../../answer/requests";
import { announce } from "../../shell/announcer";
import { useRuns } from "../../streams/hooks";
import type { Run } from "../../streams/run";
import { en } from "../../strings/en";
import { bytes, integer } from "../../strings/numbers";
import { Button } from "../../ui/Button";
import { Progress } from "../../ui/Progress";
import "./settings.css";
import { shown } from "../../markdown/text";

/** The newest run of some kind that this browser knows; null where there is none. */
export function useLatestRun(kind: string): Run | null {
  return [...useRuns().values()].findLast((run) => run.kind === kind) ?? null;
}

interface RunProgressProps {
  run: Run;
  /** What goes on. */
  label: string;
  /** Said where the run itself says nothing at its end. */
  done: string;
  stopped: string;
  /** What its steps count. */
  unit?: "bytes" | "steps";
  onRetry?: () => void;
}

/** Work that takes its time: how far it is, a way to stop it, and how it ended. */
export function RunProgress({ run, label, done, stopped, unit = "steps", onRetry }: RunProgressProps) {
  const { mutate: stop, isPending } = useStop();
  useAnnouncedEnd(run, done, stopped);
  if (run.state === "running")
    return (
      <div className="run">
        <div className="run-words">
          <p>{label}</p>
          <p className="soft tabular run-note">{shown(noteOf(run, unit))}</p>
        </div>
        <Progress label={label} done={run.progress?.done ?? 0} total={run.progress?.total || null} />
        <Button size="s" icon="stop" busy={isPending} onClick={() => stop(run.id)}>
          {en.models.stop}
        </Button>
      </div>
    );
  if (run.state === "failed")
    return (
      <div className="run run-failed" role="alert">
        <div className="run-words">
          <p>{run.problem ? shown(run.problem.message) : en.ui.failed}</p>
          {run.problem?.remedy && <p className="soft">{shown(run.problem.remedy)}</p>}
        </div>
        {onRetry && (
          <Button size="s" icon="retry" onClick={onRetry}>
            {en.ui.retry}
          </Button>
        )}
      </div>
    );
  return <p className="run-ended soft">{run.state === "stopped" ? stopped : run.progress?.note || done}</p>;
}

function noteOf({ progress }: Run, unit: "bytes" | "steps"): string {
  if (progress === null) return en.ui.loading;
  const say = unit === "bytes" ? bytes : integer;
  const far = progress.total > 0 ? `${say(progress.done)} / ${say(progress.total)}` : progress.done > 0 ? say(progress.done) : "";
  return [far, progress.note].filter(Boolean).join(" · ");
}

/** Says once how work ended that was seen to go on. */
function useAnnouncedEnd(run: Run, done: string, stopped: string): void {
  const before = useRef(run.state);
  useEffect(() => {
    if (before.current === "running" && run.state !== "running") {
      const ended = run.state === "stopped" ? stopped : run.state === "failed" ? "" : run.progress?.note || done;
      if (ended) announce(ended);
    }
    before.current = run.state;
  }, [run, done, stopped]);
}
