import type { Schemas } from "../../../api/client";
import type { Layer } from "../../../charts/stacks";

export type Row = Schemas["UsageRow"];
export type Metric = "calls" | "tokens" | "cost";

const DAY_MS = 86_400_000;

export function measured(row: Row, metric: Metric): number {
  if (metric === "calls") return row.calls;
  return metric === "cost" ? row.cost_micros : row.tokens_in + row.tokens_out;
}

/** Every day from `since` to `today`, both ISO dates in UTC; also those on which nothing happened. */
export function daysFrom(since: string, today: string): readonly string[] {
  const [first, last] = [Date.parse(since), Date.parse(today)];
  const count = Math.max(0, Math.round((last - first) / DAY_MS)) + 1;
  return Array.from({ length: count }, (_, at) => new Date(first + at * DAY_MS).toISOString().slice(0, 10));
}

/** One layer a member, who was asked most first, with a value for each day. */
export function layersOf(
  rows: readonly Row[],
  days: readonly string[],
  metric: Metric,
  hueOf: (seat: string) => number,
): readonly Layer[] {
  const place = new Map(days.map((day, at) => [day, at]));
  const values = new Map<string, number[]>();
  for (const row of rows) {
    const at = place.get(row.day);
    if (at === undefined) continue;
    const own = values.get(row.seat) ?? days.map(() => 0);
    own[at] = (own[at] ?? 0) + measured(row, metric);
    values.set(row.seat, own);
  }
  const sum = (layer: Layer) => layer.values.reduce((all, each) => all + each, 0);
  return [...values]
    .map(([name, own]): Layer => ({ name, hue: hueOf(name), values: own }))
    .filter((layer) => sum(layer) > 0)
    .sort((a, b) => sum(b) - sum(a) || a.name.localeCompare(b.name));
}

/** What each member, model and kind took in all days together. */
export function totalsOf(rows: readonly Row[]): readonly Row[] {
  const totals = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.seat}\n${row.model}\n${row.kind}`;
    const now = totals.get(key);
    totals.set(key, now ? added(now, row) : row);
  }
  return [...totals.values()];
}

function added(a: Row, b: Row): Row {
  return {
    ...a,
    calls: a.calls + b.calls,
    failed: a.failed + b.failed,
    tokens_in: a.tokens_in + b.tokens_in,
    tokens_out: a.tokens_out + b.tokens_out,
    cost_micros: a.cost_micros + b.cost_micros,
  };
}
