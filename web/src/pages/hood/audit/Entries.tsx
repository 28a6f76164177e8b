import { useDeferredValue, useState } from "react";
import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { integer } from "../../../strings/numbers";
import { TextInput } from "../../../ui/Field";
import { Drawer } from "../../../ui/Drawer";
import { type Option, Select } from "../../../ui/Select";
import { EmptyState } from "../../../ui/states";
import { type Column, Table } from "../../../ui/Table";
import { RelativeTime } from "../../../ui/words";
import { More } from "../More";
import { Loaded } from "../parts";
import { EntryDetail } from "./EntryDetail";
import { KINDS } from "./kinds";
import { Level } from "./Level";
import { aboutOf, kindName } from "./lines";
import { type Kind, useEntries } from "./reads";
import { shown } from "../../../markdown/text";
import "./audit.css";

type Entry = Schemas["EntryView"];

const words = en.hood.audit;
const ANY = "";

const OPTIONS: readonly Option<Kind | typeof ANY>[] = [
  { value: ANY, label: words.anyKind },
  ...KINDS.map((value) => ({ value, label: kindName(value) })),
];

/** Entries by kind and trace, newest first; each opens to what it commits to. */
export function Entries() {
  const [kind, setKind] = useState<Kind | typeof ANY>(ANY);
  const [trace, setTrace] = useState("");
  const [open, setOpen] = useState<number | null>(null);
  const wanted = useDeferredValue(trace.trim());
  const entries = useEntries({ kind: kind === ANY ? null : kind, trace: wanted === "" ? null : wanted });
  return (
    <>
      <div className="hood-filters">
        <Select aria-label={words.kind} value={kind} options={OPTIONS} onChoose={setKind} />
        <TextInput
          type="search"
          aria-label={words.trace}
          placeholder={`${words.trace}: ${words.tracePlaceholder}`}
          maxLength={64}
          value={trace}
          onChange={(event) => setTrace(event.target.value)}
        />
      </div>
      <Loaded read={entries} lines={8}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.items);
          if (rows.length === 0) return <EmptyState title={words.none}>{words.noneHow}</EmptyState>;
          return (
            <>
              <Table caption={words.entries} columns={columnsOf(setOpen)} rows={rows} rowKey={(row) => String(row.seq)} />
              <More read={entries} shown={rows.length} />
            </>
          );
        }}
      </Loaded>
      <Drawer open={open !== null} onOpenChange={(now) => !now && setOpen(null)} title={open === null ? "" : words.detail(open)}>
        {open !== null && <EntryDetail key={open} seq={open} />}
      </Drawer>
    </>
  );
}

function columnsOf(onOpen: (seq: number) => void): readonly Column<Entry>[] {
  return [
    {
      key: "seq",
      header: words.seq,
      numeric: true,
      cell: (row) => (
        <button type="button" className="hood-link" aria-label={words.openEntry(row.seq)} onClick={() => onOpen(row.seq)}>
          {integer(row.seq)}
        </button>
      ),
    },
    { key: "time", header: words.time, cell: (row) => <RelativeTime at={row.ts} /> },
    { key: "kind", header: words.kind, cell: (row) => kindName(row.kind) },
    { key: "actor", header: words.actor, cell: (row) => <span className="hood-actor">{shown(row.actor)}</span> },
    { key: "refs", header: words.refs, cell: (row) => <span className="hood-refs">{aboutOf(row.refs) || words.noRefs}</span> },
    { key: "level", header: words.level, cell: (row) => <Level level={row.level} /> },
  ];
}
