import { useState } from "react";
import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { bytes } from "../../../strings/numbers";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { Drawer } from "../../../ui/Drawer";
import { type Column, Table } from "../../../ui/Table";
import { RelativeTime } from "../../../ui/words";
import { useWhy } from "../../../why/address";
import { Facts } from "../Facts";
import { More } from "../More";
import { Loaded, Part } from "../parts";
import { type EgressFilter, useEgress } from "../reads";
import { shown } from "../../../markdown/text";

type Line = Schemas["EgressLine"];

const words = en.hood.egress;

/** The requests themselves, newest first; each opens to what was written down of it. */
export function Requests({ filter }: { filter: EgressFilter }) {
  const egress = useEgress(filter);
  const [open, setOpen] = useState<Line | null>(null);
  const columns: readonly Column<Line>[] = [
    {
      key: "time",
      header: words.time,
      cell: (row) => (
        <button type="button" className="hood-link" onClick={() => setOpen(row)}>
          <RelativeTime at={row.at} />
        </button>
      ),
    },
    { key: "host", header: words.host, cell: (row) => <HostName line={row} /> },
    { key: "model", header: words.model, cell: (row) => <span className="hood-anywhere">{shown(row.model)}</span> },
    { key: "why", header: words.why, cell: (row) => row.why },
    { key: "sent", header: words.sent, numeric: true, cell: (row) => bytes(row.bytes_out) },
    { key: "answer", header: words.answer, numeric: true, cell: (row) => row.status ?? words.pending },
  ];
  return (
    <Part title={words.newest}>
      <Loaded read={egress}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.items);
          if (rows.length === 0) return <p className="soft">{words.none}</p>;
          return (
            <>
              <Table caption={words.newest} columns={columns} rows={rows} rowKey={(row) => row.id} />
              <More read={egress} shown={rows.length} />
            </>
          );
        }}
      </Loaded>
      <Drawer open={open !== null} onOpenChange={(now) => !now && setOpen(null)} title={words.details}>
        {open && <Detail line={open} onLeave={() => setOpen(null)} />}
      </Drawer>
    </Part>
  );
}

function HostName({ line }: { line: Line }) {
  return (
    <span className="hood-named">
      <span className="hood-anywhere">{shown(line.host)}</span>
      {line.loopback && <Badge>{words.stays}</Badge>}
    </span>
  );
}

function Detail({ line, onLeave }: { line: Line; onLeave: () => void }) {
  const why = useWhy();
  const { query_id: question } = line;
  const open = (subject: string) => {
    onLeave();
    why.open(subject);
  };
  return (
    <Facts
      facts={[
        [words.time, <RelativeTime key="at" at={line.at} />],
        [words.method, line.method],
        [words.address, <code key="url">{shown(line.url)}</code>],
        [words.model, shown(line.model)],
        [words.why, line.why],
        [words.sent, bytes(line.bytes_out)],
        [words.answer, line.status ?? words.pending],
        [words.commitment, <code key="hash">{line.commitment}</code>, words.commitmentHint],
        [words.entry, line.audit_seq === null ? words.noEntry : words.entryNumber(line.audit_seq)],
        ...(question === null
          ? []
          : ([
              [
                words.question,
                <Button key="why" size="s" onClick={() => open(question)}>
                  {en.hood.ledger.question}
                </Button>,
              ],
            ] as const)),
      ]}
    />
  );
}
