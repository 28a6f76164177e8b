import { useState } from "react";
import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { decimal } from "../../../strings/numbers";
import { Button } from "../../../ui/Button";
import { Select } from "../../../ui/Select";
import { Table } from "../../../ui/Table";
import { MemberName, Share } from "../parts";
import { type SortableColumn, useSorted } from "../sorting";

type Rate = Schemas["DomainRate"];

const words = en.hood.record;
const ALL = "";
/** Rows before "Show all". */
const FEW = 12;

const COLUMNS: readonly SortableColumn<Rate>[] = [
  { key: "domain", header: words.domain, cell: (row) => nameOf(row.domain), by: (row) => row.domain },
  { key: "seat", header: en.hood.member, cell: (row) => <MemberName seat={row.seat} />, by: (row) => row.seat },
  { key: "right", header: words.right, cell: ({ rate }) => <Share {...rate} />, by: (row) => row.rate.mean },
  {
    key: "grades",
    header: words.gradesHeader,
    numeric: true,
    cell: ({ rate }) => decimal(rate.graded),
    by: (row) => row.rate.graded,
  },
];

/** The name of a domain from its id. */
function nameOf(domain: string): string {
  return domain.replaceAll("_", " ");
}

/** How often each member is right in each domain, filtered by either. */
export function DomainRates({ rates }: { rates: readonly Rate[] }) {
  const [domain, setDomain] = useState(ALL);
  const [seat, setSeat] = useState(ALL);
  const [all, setAll] = useState(false);
  const chosen = rates.filter((row) => [ALL, row.domain].includes(domain) && [ALL, row.seat].includes(seat));
  const { rows, columns } = useSorted(chosen, COLUMNS, { key: "grades", down: true });
  if (rates.length === 0) return <p className="soft">{words.noDomains}</p>;
  return (
    <>
      <div className="hood-filters">
        <Select
          aria-label={words.domain}
          value={domain}
          onChoose={setDomain}
          options={[{ value: ALL, label: en.hood.everyDomain }, ...distinct(rates.map((row) => row.domain), nameOf)]}
        />
        <Select
          aria-label={en.hood.member}
          value={seat}
          onChoose={setSeat}
          options={[{ value: ALL, label: en.hood.everyMember }, ...distinct(rates.map((row) => row.seat))]}
        />
      </div>
      <Table
        caption={words.byDomain}
        columns={columns}
        rows={all ? rows : rows.slice(0, FEW)}
        rowKey={(row) => `${row.domain} ${row.seat}`}
      />
      {!all && rows.length > FEW && (
        <div className="hood-more">
          <Button onClick={() => setAll(true)}>{en.hood.showAll(rows.length)}</Button>
        </div>
      )}
    </>
  );
}

function distinct(values: readonly string[], label = (value: string) => value) {
  return [...new Set(values)].sort((a, b) => a.localeCompare(b)).map((value) => ({ value, label: label(value) }));
}
