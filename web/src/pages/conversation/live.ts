import { useEffect, useMemo, useState } from "react";
import type { Remembered } from "../../streams/events";
import { useRuns } from "../../streams/hooks";
import type { Run } from "../../streams/run";
import { isLive, type LiveRun } from "./rows";

interface Live {
  /** Runs that are shown by themselves. The same list as long as it is the same runs. */
  readonly rows: readonly LiveRun[];
  /** The run that goes on, if one does. */
  readonly running: string | null;
  /** What was remembered here while this tab looked on, by id. */
  readonly fresh: ReadonlyMap<string, Remembered>;
}

/** What runs in a conversation. Once a run has ended, `read` reads the conversation anew, and its messages take over. */
export function useLive(id: string, loaded: boolean, read: () => Promise<{ readonly isError: boolean }>): Live {
  const runs = useRuns();
  const [absorbed, setAbsorbed] = useState<ReadonlySet<string>>(new Set());
  const here = useMemo(() => [...runs.values()].filter((run) => run.conversationId === id && run.kind === "ask"), [runs, id]);
  const ended = here.filter((run) => run.state !== "running" && !absorbed.has(run.id)).map((run) => run.id).join(" ");
  useEffect(() => {
    if (!loaded || ended === "") return;
    void read().then(({ isError }) => {
      // What could not be read stays in sight as a run: its answer must not go before its message is there.
      if (!isError) setAbsorbed((before) => new Set([...before, ...ended.split(" ")]));
    });
  }, [loaded, ended, read]);
  const rows = useUnchanged(here.filter((run) => isLive(run, absorbed)).map(({ id: run, queryId }) => ({ id: run, queryId })));
  const running = here.find((run) => run.state === "running")?.id ?? null;
  return { rows, running, fresh: useFresh(here) };
}

function useUnchanged(rows: readonly LiveRun[]): readonly LiveRun[] {
  const [kept, setKept] = useState(rows);
  const same = kept.length === rows.length && rows.every((row, at) => row.id === kept[at]?.id && row.queryId === kept[at].queryId);
  if (same) return kept;
  setKept(rows);
  return rows;
}

function useFresh(runs: readonly Run[]): ReadonlyMap<string, Remembered> {
  const all = runs.flatMap((run) => run.remembered);
  const [kept, setKept] = useState({ all, map: mapOf(all) });
  if (kept.all.length === all.length && all.every((each, at) => each === kept.all[at])) return kept.map;
  const next = { all, map: mapOf(all) };
  setKept(next);
  return next.map;
}

function mapOf(all: readonly Remembered[]): ReadonlyMap<string, Remembered> {
  return new Map(all.map((each) => [each.correction.id, each]));
}
