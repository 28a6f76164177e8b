import { useState } from "react";
import { useCouncil } from "../../../answer/seats";
import { en } from "../../../strings/en";
import { bytes, integer } from "../../../strings/numbers";
import { Badge } from "../../../ui/Badge";
import { Icon } from "../../../ui/icons";
import { Select } from "../../../ui/Select";
import { EmptyState } from "../../../ui/states";
import { type Column, Table } from "../../../ui/Table";
import { Loaded, Part } from "../parts";
import { type EgressFilter, useEgressTotals } from "../reads";
import { type Host, type HostTotal, hostsOf, sinceOf, summed } from "./hosts";
import { Requests } from "./Requests";
import { shown } from "../../../markdown/text";
import "./egress.css";

const words = en.hood.egress;
const PERIODS = ["all", "1", "7", "30"] as const;
const ANY = "";

/** Every request that was about to leave this program. */
export function EgressSection() {
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>("all");
  const [since, setSince] = useState<string | null>(null);
  const [model, setModel] = useState(ANY);
  const council = useCouncil();
  const filter: EgressFilter = { since, model: model === ANY ? null : model };
  const totals = useEgressTotals(filter);
  const models = [...new Set((council.data ?? []).filter((each) => each.votes).map((each) => each.model))].sort();
  const choose = (next: (typeof PERIODS)[number]) => {
    setPeriod(next);
    setSince(sinceOf(next, Date.now()));
  };
  const filtered = period !== "all" || model !== ANY;
  const filters = (
    <>
      <Select
        aria-label={words.period}
        value={period}
        onChoose={choose}
        options={PERIODS.map((value) => ({ value, label: `${words.period}: ${words.periods[value] ?? value}` }))}
      />
      <Select
        aria-label={words.modelFilter}
        value={model}
        onChoose={setModel}
        options={[{ value: ANY, label: words.anyModel }, ...models.map((value) => ({ value, label: value }))]}
      />
    </>
  );
  return (
    <Part level={2} title={en.hood.sections.egress} intro={words.intro} actions={filters}>
      <Loaded read={totals}>
        {(found) => <Found totals={found} filter={filter} filtered={filtered} />}
      </Loaded>
    </Part>
  );
}

interface FoundProps {
  totals: readonly HostTotal[];
  filter: EgressFilter;
  filtered: boolean;
}

function Found({ totals, filter, filtered }: FoundProps) {
  const hosts = hostsOf(totals);
  if (hosts.length === 0)
    return filtered ? (
      <EmptyState icon="shield" title={words.none} />
    ) : (
      <EmptyState icon="shield" title={words.nothing}>
        {words.nothingHow}
      </EmptyState>
    );
  return (
    <>
      <Statement hosts={hosts} />
      <Part title={words.byHost}>
        <Table caption={words.byHost} columns={HOSTS} rows={hosts} rowKey={(row) => row.host} />
      </Part>
      <Requests filter={filter} />
    </>
  );
}

/** What left the machine, in one sentence. */
function Statement({ hosts }: { hosts: readonly Host[] }) {
  const away = summed(hosts, false);
  const here = summed(hosts, true);
  const none = away.requests === 0;
  return (
    <p className="hood-statement">
      <Icon name={none ? "shield" : "send"} />
      <span>
        {none ? words.nothing : words.left(away.bytes, away.requests, away.hosts)}{" "}
        {here.requests > 0 && <span className="soft">{words.onlyLocal(here.requests)}</span>}
      </span>
    </p>
  );
}

const HOSTS: readonly Column<Host>[] = [
  {
    key: "host",
    header: words.host,
    cell: (row) => (
      <span className="hood-named">
        <span className="hood-anywhere">{shown(row.host)}</span>
        {row.loopback && <Badge>{words.stays}</Badge>}
      </span>
    ),
  },
  { key: "requests", header: words.requests, numeric: true, cell: (row) => integer(row.requests) },
  { key: "sent", header: words.sent, numeric: true, cell: (row) => bytes(row.bytes) },
  { key: "days", header: words.days, numeric: true, cell: (row) => integer(row.days) },
];
