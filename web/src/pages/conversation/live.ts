import { useEffect, useMemo, useState } from "react";
import type { Remembered } from "../../streams/events";
import { useRuns } from "../../streams/hooks";
import type { Run } from "../../streams/run";
import { isLive, type LiveRun, liveRun } from "./rows";

interface Live {
  /** Runs that are shown by themselves. The same list as long as it is the same runs. */
  readonly rows: readonly LiveRun[];
  /** The run that goes on, if one does. */
  readonly running: string | null;
  /** What was remembered here while this tab looked on, by id. */
  readonly fresh: ReadonlyMap<string, Remembered>;
}

const NONE: readonly string[] = [];

/**
 * What runs in a conversation. read: the ids of the runs whose outcome its messages tell; undefined before they are there.
 * Once a run has ended, `refresh` reads them anew, and they take over in the same moment: until then its run is shown.
 */
export function useLive(id: string, read: readonly string[] | undefined, refresh: () => Promise<unknown>): Live {
  const runs = useRuns();
  const loaded = read !== undefined;
  const absorbed = useMemo(() => new Set(read ?? NONE), [read]);
  const here = useMemo(() => [...runs.values()].filter((run) => run.conversationId === id && run.kind === "ask"), [runs, id]);
  const ended = here.filter((run) => run.state !== "running" && !absorbed.has(run.id)).map((run) => run.id).join(" ");
  useEffect(() => {
    // What could not be read stays in sight as a run.
    if (loaded && ended !== "") void refresh();
  }, [loaded, ended, refresh]);
  const rows = useUnchanged(here.filter((run) => isLive(run, absorbed)).map((run) => liveRun(run, absorbed)));
  const running = here.find((run) => run.state === "running")?.id ?? null;
  return { rows, running, fresh: useFresh(here) };
}

function useUnchanged(rows: readonly LiveRun[]): readonly LiveRun[] {
  const [kept, setKept] = useState(rows);
  const same = kept.length === rows.length && rows.every((row, at) => isSame(row, kept[at]));
  if (same) return kept;
  setKept(rows);
  return rows;
}

function isSame(row: LiveRun, other: LiveRun | undefined): boolean {
  return row.id === other?.id && row.queryId === other.queryId && row.told === other.told && row.absorbed === other.absorbed;
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
