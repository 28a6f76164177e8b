import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { decimal, duration, integer, money } from "../../../strings/numbers";
import { Badge } from "../../../ui/Badge";
import { Table } from "../../../ui/Table";
import { fixed } from "../numbers";
import { MemberName, Share } from "../parts";
import { type SortableColumn, useSorted } from "../sorting";

type Standing = Schemas["MemberStanding"];

const words = en.hood.record;
const MS = 1000;

const COLUMNS: readonly SortableColumn<Standing>[] = [
  { key: "seat", header: en.hood.member, cell: (row) => <Named row={row} />, by: (row) => row.seat },
  {
    key: "right",
    header: words.right,
    cell: ({ rate }) => <Share {...rate} expected={rate.graded === 0} />,
    by: (row) => row.rate.mean,
  },
  {
    key: "grades",
    header: words.gradesHeader,
    numeric: true,
    cell: ({ rate }) => decimal(rate.graded),
    by: (row) => row.rate.graded,
  },
  { key: "asked", header: words.asked, numeric: true, cell: ({ runs }) => integer(runs.asked), by: (row) => row.runs.asked },
  { key: "silent", header: words.silent, numeric: true, cell: ({ runs }) => integer(runs.silent), by: (row) => row.runs.silent },
  {
    key: "weight",
    header: words.weight,
    numeric: true,
    cell: ({ weight }) => (weight === null ? words.noVote : fixed(weight)),
    by: (row) => row.weight,
  },
  {
    key: "time",
    header: words.time,
    numeric: true,
    cell: ({ runs }) => (runs.total_ms === null ? en.ui.none : duration(runs.total_ms / MS)),
    by: (row) => row.runs.total_ms,
  },
  {
    key: "cost",
    header: words.cost,
    numeric: true,
    cell: ({ runs }) => money(runs.cost_micros),
    by: (row) => row.runs.cost_micros,
  },
];

/** Everybody who sits in the council or ever answered, best record first. */
export function Standings({ seats }: { seats: readonly Standing[] }) {
  const { rows, columns } = useSorted(seats, COLUMNS, { key: "right", down: true });
  return <Table caption={words.standings} columns={columns} rows={rows} rowKey={(row) => row.seat} />;
}

function Named({ row }: { row: Standing }) {
  return (
    <span className="hood-named">
      <MemberName seat={row.seat} />
      {!row.sits && <Badge>{words.left}</Badge>}
      {row.rate.graded === 0 && <span className="hood-faint">{en.hood.noGrades}</span>}
    </span>
  );
}
