import type { ReactNode } from "react";
import "./table.css";
import { Icon } from "./icons";
import { SortControl } from "./SortControl";

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand right, with digits of one width. */
  numeric?: boolean;
  /** For a column by which rows can be sorted: how they are now, and what its header does. */
  sort?: { direction: "ascending" | "descending" | null; onSort: () => void };
}

interface TableProps<Row> {
  /** What the table shows; read out first, and shown above where `captionShown`. */
  caption: string;
  captionShown?: boolean;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/** Rows and columns; on a phone each row becomes a card with its headers beside the values. */
export function Table<Row>({ caption, captionShown = false, columns, rows, rowKey }: TableProps<Row>) {
  return (
    <div className="table-frame">
      <SortControl caption={caption} columns={columns} />
      {/* The roles are said again: as cards the elements are no table for the browser any more. */}
      <table className="table" role="table">
        <caption className={captionShown ? "table-caption" : "visually-hidden"}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                role="columnheader"
                className={column.numeric ? "numeric" : undefined}
                aria-sort={column.sort ? (column.sort.direction ?? "none") : undefined}
              >
                <Header column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column, at) => (
                <Cell key={column.key} column={column} row={row} names={at === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Header<Row>({ column: { header, sort } }: { column: Column<Row> }) {
  if (!sort) return header;
  return (
    <button type="button" className="table-sort" onClick={sort.onSort}>
      {header}
      {sort.direction && (
        <span className={`table-sort-${sort.direction}`}>
          <Icon name="down" size={14} />
        </span>
      )}
    </button>
  );
}

function Cell<Row>({ column, row, names }: { column: Column<Row>; row: Row; names: boolean }) {
  const className = column.numeric ? "numeric" : undefined;
  if (names)
    return (
      <th scope="row" role="rowheader" className={className} data-header={column.header}>
        {column.cell(row)}
      </th>
    );
  return (
    <td role="cell" className={className} data-header={column.header}>
      {column.cell(row)}
    </td>
  );
}
