import { useState } from "react";
import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";
import type { Column } from "../../ui/Table";

/** By what a column is sorted; null stands last, whichever way. */
export type SortKey = number | string | null;

export interface SortableColumn<Row> extends Column<Row> {
  /** Columns without one are not sorted by. */
  by?: (row: Row) => SortKey;
}

export interface Order {
  readonly key: string;
  readonly down: boolean;
}

function compared(a: SortKey, b: SortKey): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** The rows in an order; rows that are alike stay as they were. */
export function sorted<Row>(rows: readonly Row[], by: (row: Row) => SortKey, down: boolean): readonly Row[] {
  return rows.toSorted((a, b) => {
    const [first, second] = [by(a), by(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return down ? compared(second, first) : compared(first, second);
  });
}

/** The order after a column was chosen: figures begin with the highest, names with A; once more turns it round. */
export function nextOrder<Row>(order: Order, column: SortableColumn<Row>): Order {
  return { key: column.key, down: order.key === column.key ? !order.down : column.numeric === true };
}

/** Rows that can be sorted by their columns, and the columns with what their headers need for it. */
export function useSorted<Row>(rows: readonly Row[], columns: readonly SortableColumn<Row>[], start: Order) {
  const [order, setOrder] = useState(start);
  const choose = (column: SortableColumn<Row>) => {
    const next = nextOrder(order, column);
    setOrder(next);
    announce(en.hood.sortedBy(column.header, next.down));
  };
  const shown = columns.map(({ by, ...column }): Column<Row> => {
    if (!by) return column;
    const direction = order.key !== column.key ? null : order.down ? "descending" : "ascending";
    return { ...column, sort: { direction, onSort: () => choose(column) } };
  });
  const by = columns.find((column) => column.key === order.key)?.by;
  return { rows: by ? sorted(rows, by, order.down) : rows, columns: shown };
}
