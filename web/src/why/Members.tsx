import { en } from "../strings/en";
import { count, duration, money } from "../strings/numbers";
import { type Column, Table } from "../ui/Table";
import { Money } from "../ui/words";
import { Member } from "./Member";
import { type MemberRow, memberRows, type Question } from "./reasons";
import { shown } from "../markdown/text";

const words = en.why.members;

const COLUMNS: readonly Column<MemberRow>[] = [
  { key: "member", header: words.member, cell: (row) => <Member seat={row.seat} /> },
  { key: "time", header: words.time, cell: (row) => <Time row={row} /> },
  {
    key: "tokens",
    header: `${words.tokens}, ${words.tokensHint}`,
    numeric: true,
    cell: ({ read, written }) =>
      read + written > 0 ? <span title={words.tokensTitle(read, written)}>{words.tokensOf(read, written)}</span> : en.ui.none,
  },
  { key: "cost", header: words.cost, numeric: true, cell: (row) => <Money micros={row.costMicros} /> },
];

/** What each member took: time as bars against the slowest, tokens read and written, and money. */
export function Members({ answers, costMicros }: { answers: Question["answers"]; costMicros: number }) {
  if (answers.length === 0) return <p className="soft">{words.none}</p>;
  const rows = memberRows(answers);
  const slowest = Math.max(...rows.map((row) => row.seconds));
  const failures = rows.filter((row) => row.state === "failed");
  return (
    <>
      <div className="why-table">
        <Table caption={words.caption} columns={COLUMNS} rows={rows} rowKey={(row) => row.seat} />
      </div>
      {rows.length > 1 && (
        <p className="soft why-line">{words.total(count(rows.length, "member"), duration(slowest), money(costMicros))}</p>
      )}
      {failures.map((row) => (
        <p key={row.seat} className="why-failure">
          {shown(row.seat)}
          {": "}
          {shown(row.failure)} {row.remedy}
        </p>
      ))}
    </>
  );
}

function Time({ row }: { row: MemberRow }) {
  if (row.state === "failed") return <span className="why-failed">{words.failed}</span>;
  if (row.state === "unawaited") return <span className="soft">{words.unawaited}</span>;
  return (
    <span className="why-time">
      <span className="why-track" aria-hidden="true">
        <span className={`why-bar why-bar-${row.state}`} style={{ inlineSize: `${row.share * 100}%` }} />
      </span>
      <span className="tabular">
        {duration(row.seconds)}
        {row.state === "abstained" && <span className="soft why-under">{words.abstained}</span>}
        {row.attempts > 1 && <span className="soft why-under">{words.attempts(row.attempts)}</span>}
      </span>
    </span>
  );
}
