import { en } from "../strings/en";
import { VerdictMark } from "../ui/marks";
import { type Column, Table } from "../ui/Table";
import { Member } from "./Member";
import { type AbsenceRow, absences, type Question } from "./reasons";
import { shown } from "../markdown/text";

const words = en.why.absent;

const COLUMNS: readonly Column<AbsenceRow>[] = [
  { key: "member", header: words.member, cell: ({ seat }) => <Member seat={seat} /> },
  { key: "chosen", header: words.chosen, cell: (row) => <Instead row={row} /> },
];

/** What would have been chosen if one member had been absent; where somebody alone made the difference is marked. */
export function Absences({ decision }: { decision: Question["decision"] }) {
  const rows = absences(decision);
  if (rows.length === 0) return null;
  return (
    <>
      <h4>{words.title}</h4>
      {rows.some((row) => row.turns) ? (
        <div className="why-table">
          <Table caption={words.caption} columns={COLUMNS} rows={rows} rowKey={(row) => row.seat} />
        </div>
      ) : (
        <p>{words.stable}</p>
      )}
    </>
  );
}

function Instead({ row }: { row: AbsenceRow }) {
  if (!row.turns) return <span className="soft">{words.same}</span>;
  return (
    <span className="why-turned">
      <VerdictMark verdict="differ" />
      <span>{row.text === null ? words.nothing : shown(row.text)}</span>
    </span>
  );
}
