import { useState } from "react";
import type { Schemas } from "../../api/client";
import { en } from "../../strings/en";
import { integer } from "../../strings/numbers";
import { Button } from "../../ui/Button";
import { Select } from "../../ui/Select";
import { EmptyState } from "../../ui/states";
import { type Column, Table } from "../../ui/Table";
import { RelativeTime } from "../../ui/words";
import { useWhy } from "../../why/address";
import { More } from "./More";
import { fixed } from "./numbers";
import { Loaded, MemberName, Part } from "./parts";
import { useBalances, useLedger } from "./reads";
import { type SortableColumn, useSorted } from "./sorting";

type Balance = Schemas["Balance"];
type Line = Schemas["LedgerLine"];

const words = en.hood.ledger;
const ALL = "";

const BALANCES: readonly SortableColumn<Balance>[] = [
  { key: "seat", header: en.hood.member, cell: (row) => <MemberName seat={row.seat} />, by: (row) => row.seat },
  { key: "credit", header: words.credit, numeric: true, cell: (row) => fixed(row.credit), by: (row) => row.credit },
  { key: "award", header: words.award, numeric: true, cell: (row) => fixed(row.award), by: (row) => row.award },
  {
    key: "total",
    header: words.total,
    numeric: true,
    cell: (row) => fixed(row.credit + row.award),
    by: (row) => row.credit + row.award,
  },
  {
    key: "questions",
    header: words.questions,
    numeric: true,
    cell: (row) => integer(row.questions),
    by: (row) => row.questions,
  },
];

/** What members have earned: their balances, and each entry with what it rests on. */
export function LedgerSection() {
  const balances = useBalances();
  return (
    <Part level={2} title={en.hood.sections.ledger} intro={words.intro}>
      <Loaded read={balances}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon="hood" title={words.empty}>
              {words.emptyHow}
            </EmptyState>
          ) : (
            <>
              <Balances balances={found} />
              <Lines seats={found.map((each) => each.seat)} />
            </>
          )
        }
      </Loaded>
    </Part>
  );
}

function Balances({ balances }: { balances: readonly Balance[] }) {
  const { rows, columns } = useSorted(balances, BALANCES, { key: "total", down: true });
  return <Table caption={words.balances} columns={columns} rows={rows} rowKey={(row) => row.seat} />;
}

function Lines({ seats }: { seats: readonly string[] }) {
  const [seat, setSeat] = useState(ALL);
  const ledger = useLedger(seat === ALL ? null : seat);
  const why = useWhy();
  const columns: readonly Column<Line>[] = [
    { key: "time", header: words.time, cell: (row) => <RelativeTime at={row.at} /> },
    { key: "seat", header: en.hood.member, cell: (row) => <MemberName seat={row.seat} /> },
    { key: "part", header: words.part, cell: (row) => words.parts[row.part] ?? row.part },
    { key: "amount", header: words.amount, numeric: true, cell: (row) => fixed(row.amount, 3) },
    { key: "basis", header: words.basis, cell: (row) => <span className="soft">{row.basis}</span> },
    {
      key: "why",
      header: en.hood.actions,
      cell: (row) => (
        <Button size="s" kind="quiet" aria-label={words.whyOf(row.seat)} onClick={() => why.open(row.query_id)}>
          {words.question}
        </Button>
      ),
    },
  ];
  const filter = (
    <Select
      aria-label={en.hood.member}
      value={seat}
      onChoose={setSeat}
      options={[{ value: ALL, label: en.hood.everyMember }, ...seats.map((each) => ({ value: each, label: each }))]}
    />
  );
  return (
    <Part title={words.lines} actions={filter}>
      <Loaded read={ledger}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.items);
          if (rows.length === 0) return <p className="soft">{words.emptyFor(seat)}</p>;
          return (
            <>
              <Table caption={words.lines} columns={columns} rows={rows} rowKey={(row) => `${row.query_id} ${row.seat} ${row.part} ${row.at}`} />
              <More read={ledger} shown={rows.length} />
            </>
          );
        }}
      </Loaded>
    </Part>
  );
}
