import { saveText } from "../../../answer/files";
import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { integer } from "../../../strings/numbers";
import { IconButton } from "../../../ui/IconButton";
import { EmptyState } from "../../../ui/states";
import { type Column, Table } from "../../../ui/Table";
import { RelativeTime } from "../../../ui/words";
import { More } from "../More";
import { Loaded } from "../parts";
import { Level } from "./Level";
import { useCheckpoints, useRoot } from "./reads";
import "./audit.css";

type Checkpoint = Schemas["CheckpointView"];

const words = en.hood.audit;

const COLUMNS: readonly Column<Checkpoint>[] = [
  { key: "size", header: words.size, numeric: true, cell: (row) => integer(row.size) },
  { key: "time", header: words.time, cell: (row) => <RelativeTime at={row.created_at} /> },
  { key: "reason", header: words.reason, cell: (row) => words.reasons[row.reason] ?? row.reason },
  { key: "root", header: words.root, cell: (row) => <code className="hood-refs">{row.root}</code> },
  { key: "level", header: words.level, cell: (row) => <Level level={row.level} /> },
  { key: "note", header: en.hood.actions, cell: (row) => <SaveNote checkpoint={row} /> },
];

/** Signed heads of the log, the largest first. */
export function Checkpoints() {
  const checkpoints = useCheckpoints();
  return (
    <Loaded read={checkpoints}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.items);
        if (rows.length === 0) return <EmptyState title={words.noCheckpoints}>{words.noCheckpointsHow}</EmptyState>;
        return (
          <>
            <Table caption={words.checkpoints} columns={COLUMNS} rows={rows} rowKey={(row) => row.note} />
            <More read={checkpoints} shown={rows.length} />
          </>
        );
      }}
    </Loaded>
  );
}

const DAYS: readonly Column<Checkpoint>[] = [
  { key: "day", header: words.day, cell: (row) => row.day ?? en.ui.none },
  ...COLUMNS.filter((column) => column.key !== "time" && column.key !== "reason"),
];

/** The head that closed each day, newest first. */
export function Days() {
  const root = useRoot();
  return (
    <Loaded read={root}>
      {({ days }) =>
        days.length === 0 ? (
          <EmptyState title={words.noDays}>{words.noDaysHow}</EmptyState>
        ) : (
          <Table caption={words.days} columns={DAYS} rows={days} rowKey={(row) => row.note} />
        )
      }
    </Loaded>
  );
}

function SaveNote({ checkpoint: { size, note } }: { checkpoint: Checkpoint }) {
  return (
    <IconButton
      size="s"
      icon="download"
      label={words.note(size)}
      onClick={() => saveText(`checkpoint-${size}.txt`, note, "text/plain")}
    />
  );
}
