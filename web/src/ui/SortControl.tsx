import { en } from "../strings/en";
import { IconButton } from "./IconButton";
import { Select } from "./Select";
import type { Column } from "./Table";

/** No column decides the order. */
const NONE = "";

/** What the headers of a table do, for windows so narrow that its rows are cards without headers. */
export function SortControl<Row>({ caption, columns }: { caption: string; columns: readonly Column<Row>[] }) {
  const sortable = columns.filter((column) => column.sort !== undefined);
  if (sortable.length === 0) return null;
  const current = sortable.find((column) => column.sort?.direction);
  const options = sortable.map(({ key, header }) => ({ value: key, label: en.ui.sortedBy(header) }));
  const choose = (key: string) => sortable.find((column) => column.key === key && column !== current)?.sort?.onSort();
  return (
    <div className="table-order">
      <Select
        aria-label={en.ui.orderOf(caption)}
        value={current?.key ?? NONE}
        options={current ? options : [{ value: NONE, label: en.ui.unsorted }, ...options]}
        onChoose={choose}
      />
      {current?.sort && (
        <span className={`table-sort-${current.sort.direction}`}>
          <IconButton icon="down" label={en.ui.turnOrder} onClick={current.sort.onSort} />
        </span>
      )}
    </div>
  );
}
