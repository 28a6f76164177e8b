import { useCallback, useMemo, useState } from "react";
import { ownMark } from "../../../answer/marks";
import { useSeatNumbers } from "../../../answer/seats";
import type { Schemas } from "../../../api/client";
import { StackedBars } from "../../../charts";
import type { Layer } from "../../../charts/stacks";
import { en } from "../../../strings/en";
import { integer, money } from "../../../strings/numbers";
import { Segmented } from "../../../ui/Segmented";
import { type Column, Table } from "../../../ui/Table";
import { MemberName, Part } from "../parts";
import { daysFrom, layersOf, type Metric } from "./summed";

const words = en.hood.usage;
const METRICS = (["calls", "tokens", "cost"] as const).map((value) => ({ value, label: words.metrics[value] }));
const VIEWS = (["chart", "table"] as const).map((value) => ({ value, label: words[value] }));
const dates = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });

function dayName(day: string): string {
  return dates.format(new Date(`${day}T00:00:00Z`));
}

/** Bars by day with a part for each member, or the same numbers as a table. */
export function ByDay({ report }: { report: Schemas["UsageReport"] }) {
  const [metric, setMetric] = useState<Metric>("calls");
  const [view, setView] = useState<"chart" | "table">("chart");
  const number = useSeatNumbers();
  const days = useMemo(() => daysFrom(report.since, report.today.day), [report]);
  const layers = useMemo(() => layersOf(report.rows, days, metric, (seat) => number(seat) ?? ownMark(seat)), [report, days, metric, number]);
  const format = metric === "cost" ? money : integer;
  return (
    <Part
      title={words.byDay}
      actions={
        <>
          <Segmented label={words.metric} value={metric} options={METRICS} onChoose={setMetric} />
          <Segmented label={words.view} value={view} options={VIEWS} onChoose={setView} />
        </>
      }
    >
      {view === "table" ? (
        <DayTable days={days} layers={layers} format={format} />
      ) : (
        <Chart days={days} layers={layers} format={format} metric={metric} />
      )}
    </Part>
  );
}

interface DaysProps {
  days: readonly string[];
  layers: readonly Layer[];
  format: (value: number) => string;
}

function Chart({ days, layers, format, metric }: DaysProps & { metric: Metric }) {
  const names = useMemo(() => days.map(dayName), [days]);
  const readout = useCallback(
    (at: number) => {
      const parts = layers
        .filter((layer) => (layer.values[at] ?? 0) > 0)
        .map((layer) => words.part(layer.name, format(layer.values[at] ?? 0)));
      return words.readout(names[at] ?? "", parts.join(", ") || words.noneThatDay);
    },
    [names, layers, format],
  );
  return (
    <>
      <StackedBars
        days={names}
        layers={layers}
        label={words.chartLabel(words.metrics[metric], days.length)}
        format={format}
        readout={readout}
      />
      <ul className="hood-legend">
        {layers.map((layer) => (
          <li key={layer.name}>
            <MemberName seat={layer.name} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Days with anything in them, newest first. */
function DayTable({ days, layers, format }: DaysProps) {
  const rows = days
    .map((day, at) => ({ day, values: layers.map((layer) => layer.values[at] ?? 0) }))
    .filter(({ values }) => values.some((value) => value > 0))
    .reverse();
  type DayRow = (typeof rows)[number];
  const columns: readonly Column<DayRow>[] = [
    { key: "day", header: words.day, cell: (row) => dayName(row.day) },
    ...layers.map((layer, at) => ({
      key: layer.name,
      header: layer.name,
      numeric: true,
      cell: (row: DayRow) => format(row.values[at] ?? 0),
    })),
    { key: "total", header: words.total, numeric: true, cell: (row) => format(row.values.reduce((a, b) => a + b, 0)) },
  ];
  return <Table caption={words.byDay} columns={columns} rows={rows} rowKey={(row) => row.day} />;
}
