import type { ReactNode } from "react";
import { useStop } from "../../answer/requests";
import { en } from "../../strings/en";
import { useRuns } from "../../streams/hooks";
import type { Run } from "../../streams/run";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { Progress } from "../../ui/Progress";
import "./work.css";

const words = en.hood.work;

/** The newest run of a kind that this browser knows, whoever began it; null where there is none. */
export function useWork(kind: string): Run | null {
  return [...useRuns().values()].findLast((run) => run.kind === kind) ?? null;
}

interface WorkProps {
  run: Run;
  /** What goes on. */
  label: string;
  /** What a good end means, before the sentence that the run ended with. */
  done?: string;
  /** What a bad end means. */
  failed?: string;
  children?: ReactNode;
}

/** How far work has come while it runs, with a way to stop it; then its verdict. */
export function Work({ run, label, done, failed = words.failed }: WorkProps) {
  const stop = useStop();
  if (run.state === "running") return <Running run={run} label={label} onStop={() => stop.mutate(run.id)} />;
  if (run.state === "stopped") return <Verdict tone="doubt" sentence={words.stopped} />;
  if (run.state === "failed")
    return <Verdict tone="danger" title={failed} sentence={run.problem?.message ?? ""} remedy={run.problem?.remedy ?? ""} />;
  return <Verdict tone="agree" {...(done ? { title: done } : {})} sentence={run.progress?.note ?? ""} />;
}

function Running({ run, label, onStop }: { run: Run; label: string; onStop: () => void }) {
  const { progress } = run;
  const total = progress !== null && progress.total > 0 ? progress.total : null;
  return (
    <div className="hood-work">
      <div className="hood-line">
        <span>{progress?.note ? `${label}: ${progress.note}` : label}</span>
        <span className="hood-faint tabular">
          {progress === null || total === null ? words.starting : words.steps(progress.done, total)}
        </span>
      </div>
      <Progress label={label} done={progress?.done ?? 0} total={total} />
      <Button size="s" icon="stop" onClick={onStop}>
        {words.stop}
      </Button>
    </div>
  );
}

interface VerdictProps {
  tone: "agree" | "danger" | "doubt";
  title?: string;
  sentence: string;
  remedy?: string;
}

const ICONS = { agree: "check", danger: "warning", doubt: "info" } as const;

/** What came of something, in a word and a sentence. Screen readers are told once. */
export function Verdict({ tone, title, sentence, remedy = "" }: VerdictProps) {
  return (
    <div className={`hood-verdict hood-verdict-box-${tone}`} role={tone === "danger" ? "alert" : "status"}>
      <Icon name={ICONS[tone]} />
      <div>
        {title && <p className="hood-verdict-title">{title}</p>}
        {sentence && <p>{sentence}</p>}
        {remedy && <p className="soft">{remedy}</p>}
      </div>
    </div>
  );
}
