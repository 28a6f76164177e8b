import type { Schemas } from "../../api/client";
import { wilson } from "../../charts/statistics";
import { en } from "../../strings/en";
import { integer } from "../../strings/numbers";
import { Badge } from "../../ui/Badge";
import { EmptyState } from "../../ui/states";
import { Table } from "../../ui/Table";
import { Loaded, MemberName, Part, Share } from "./parts";
import { useCompliance } from "./reads";
import { type SortableColumn, useSorted } from "./sorting";

type Tally = Schemas["Tally"];

const words = en.hood.compliance;

const COLUMNS: readonly SortableColumn<Tally>[] = [
  { key: "seat", header: en.hood.member, cell: (row) => <MemberName seat={row.seat} />, by: (row) => row.seat },
  { key: "rule", header: words.rule, cell: (row) => row.rule.replaceAll("_", " "), by: (row) => row.rule },
  { key: "level", header: words.level, cell: (row) => words.levels[row.level] ?? row.level, by: (row) => row.level },
  {
    key: "share",
    header: words.share,
    cell: (row) => <Kept row={row} />,
    by: (row) => (row.judged > 0 ? row.passed / row.judged : null),
  },
  {
    key: "kept",
    header: words.kept,
    numeric: true,
    cell: (row) => words.keptOf(row.passed, row.judged),
    by: (row) => row.judged,
  },
  { key: "streak", header: words.streak, numeric: true, cell: (row) => <Streak row={row} />, by: (row) => row.streak },
];

/** How each member keeps each rule, and how often in a row it has broken it. */
export function ComplianceSection() {
  const compliance = useCompliance();
  return (
    <Part level={2} title={en.hood.sections.compliance} intro={words.intro}>
      <Loaded read={compliance}>
        {(tallies) =>
          tallies.length === 0 ? (
            <EmptyState icon="check" title={words.empty}>
              {words.emptyHow}
            </EmptyState>
          ) : (
            <Tallies tallies={tallies} />
          )
        }
      </Loaded>
    </Part>
  );
}

function Tallies({ tallies }: { tallies: readonly Tally[] }) {
  const { rows, columns } = useSorted(tallies, COLUMNS, { key: "streak", down: true });
  return (
    <Table
      caption={en.hood.sections.compliance}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.seat} ${row.rule} ${row.level}`}
    />
  );
}

function Kept({ row: { passed, judged } }: { row: Tally }) {
  if (judged === 0) return <span className="hood-faint">{en.ui.none}</span>;
  return <Share mean={passed / judged} {...wilson(passed, judged)} />;
}

function Streak({ row: { streak } }: { row: Tally }) {
  if (streak === 0) return <span className="hood-faint">{words.none}</span>;
  return (
    <Badge tone="differ" icon="differ">
      {integer(streak)}
    </Badge>
  );
}
