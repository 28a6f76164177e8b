import { useState } from "react";
import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { integer, money } from "../../../strings/numbers";
import { Segmented } from "../../../ui/Segmented";
import { EmptyState } from "../../../ui/states";
import { Table } from "../../../ui/Table";
import { Figures, Loaded, MemberName, Part } from "../parts";
import { useUsage } from "../reads";
import { type SortableColumn, useSorted } from "../sorting";
import { ByDay } from "./ByDay";
import { type Row, totalsOf } from "./summed";

type Report = Schemas["UsageReport"];

const words = en.hood.usage;
const RANGES = ["7", "30", "90", "366"] as const;

const COLUMNS: readonly SortableColumn<Row>[] = [
  { key: "seat", header: en.hood.member, cell: (row) => <MemberName seat={row.seat} />, by: (row) => row.seat },
  { key: "model", header: words.model, cell: (row) => row.model, by: (row) => row.model },
  { key: "kind", header: words.kind, cell: (row) => words.kinds[row.kind] ?? row.kind, by: (row) => row.kind },
  { key: "calls", header: words.calls, numeric: true, cell: (row) => integer(row.calls), by: (row) => row.calls },
  { key: "failed", header: words.failed, numeric: true, cell: (row) => integer(row.failed), by: (row) => row.failed },
  { key: "in", header: words.tokensIn, numeric: true, cell: (row) => integer(row.tokens_in), by: (row) => row.tokens_in },
  { key: "out", header: words.tokensOut, numeric: true, cell: (row) => integer(row.tokens_out), by: (row) => row.tokens_out },
  { key: "cost", header: words.cost, numeric: true, cell: (row) => money(row.cost_micros), by: (row) => row.cost_micros },
];

/** What asking took, by day, member, model and kind. */
export function UsageSection() {
  const [range, setRange] = useState<(typeof RANGES)[number]>("30");
  const usage = useUsage(Number(range));
  const picker = (
    <Segmented
      label={words.range}
      value={range}
      onChoose={setRange}
      options={RANGES.map((value) => ({ value, label: words.ranges[value] ?? value }))}
    />
  );
  return (
    <Part level={2} title={en.hood.sections.usage} intro={words.intro} actions={picker}>
      <Loaded read={usage}>{(report) => <Found report={report} />}</Loaded>
    </Part>
  );
}

function Found({ report }: { report: Report }) {
  return (
    <>
      <Today report={report} />
      {report.rows.length === 0 ? (
        <EmptyState icon="hood" title={words.empty}>
          {words.emptyHow}
        </EmptyState>
      ) : (
        <>
          <ByDay report={report} />
          <Part title={words.byMember}>
            <Totals rows={totalsOf(report.rows)} />
          </Part>
        </>
      )}
    </>
  );
}

/** What models elsewhere have taken today, and what they may. */
function Today({ report: { today, budgets } }: { report: Report }) {
  const limits = [
    budgets.day_micros === null ? "" : money(budgets.day_micros),
    budgets.day_tokens === null ? "" : words.tokens(budgets.day_tokens),
  ].filter(Boolean);
  return (
    <Figures
      figures={[
        {
          label: words.today,
          value: `${money(today.cost_micros)} · ${words.tokens(today.tokens)}`,
          basis: limits.length > 0 ? words.of(limits.join(", ")) : words.noLimit,
        },
      ]}
    />
  );
}

function Totals({ rows: totals }: { rows: readonly Row[] }) {
  const { rows, columns } = useSorted(totals, COLUMNS, { key: "calls", down: true });
  return <Table caption={words.byMember} columns={columns} rows={rows} rowKey={(row) => `${row.seat} ${row.model} ${row.kind}`} />;
}
