import { type ReactNode, useState } from "react";
import { en } from "../strings/en";
import { MemberMark } from "../ui/marks";
import { Tabs } from "../ui/Tabs";
import "./members.css";
import { useNarrow } from "./narrow";
import { shown } from "../markdown/text";

/** One member beside the others: who, how far, and what it says. */
export interface Column {
  readonly seat: string;
  readonly number: number | null;
  /** How far it is, in words. */
  readonly phase: ReactNode;
  readonly mark?: ReactNode;
  readonly body: ReactNode;
}

/** Members side by side; on a phone one at a time, with a tab for each. growing: their ends stay in sight. */
export function Columns({ columns, growing = false }: { columns: readonly Column[]; growing?: boolean }) {
  const narrow = useNarrow();
  const [seat, setSeat] = useState<string | null>(null);
  if (narrow && columns.length > 1) {
    const open = columns.find((each) => each.seat === seat) ?? columns[0];
    const tabs = columns.map((each) => ({
      value: each.seat,
      label: <Name column={each} />,
      content: <Body column={each} named={false} growing={growing} />,
    }));
    return (
      <div className="member-tabs">
        <Tabs label={en.answer.members} tabs={tabs} value={open?.seat ?? ""} onChoose={setSeat} />
      </div>
    );
  }
  return (
    // A row that scrolls sideways can be scrolled by keys only where it takes focus.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="member-columns" role="region" aria-label={en.answer.members} tabIndex={0}>
      {columns.map((each) => (
        <Body key={each.seat} column={each} named growing={growing} />
      ))}
    </div>
  );
}

function Body({ column, named, growing }: { column: Column; named: boolean; growing: boolean }) {
  return (
    <section className="member-column" aria-label={shown(column.seat)}>
      <header className="member-head">
        {named && <Name column={column} />}
        <span className="member-phase tabular">{column.phase}</span>
        {column.mark}
      </header>
      {growing ? (
        // It scrolls by itself, so it must take focus.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className="member-growing" tabIndex={0} role="group" aria-label={shown(column.seat)}>
          <div className="member-body">{column.body}</div>
        </div>
      ) : (
        <div className="member-body">{column.body}</div>
      )}
    </section>
  );
}

function Name({ column }: { column: Column }) {
  return (
    <span className="member-name">
      <MemberMark seat={column.number} />
      <span className="member-seat">{shown(column.seat)}</span>
    </span>
  );
}
