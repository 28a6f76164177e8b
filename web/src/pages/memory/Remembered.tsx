import { useEffect } from "react";
import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states";
import { Alike } from "./Alike";
import { useCorrections } from "./corrections";
import { narrows, NO_FILTERS, setFilters, useFilters, type Filters } from "./filters";
import { FilterBar } from "./FilterBar";
import { Proposed } from "./Proposed";
import { Rows } from "./Rows";
import "./pending.css";

/** What waits for a word, then everything that is remembered and fits the filters. */
export function Remembered({ open, onAdd }: { open: string | null; onAdd: () => void }) {
  const filters = useFilters();
  return (
    <div className="remembered">
      <Proposed />
      <Alike />
      <FilterBar filters={filters} />
      <Found filters={filters} open={open} onAdd={onAdd} />
    </div>
  );
}

function Found({ filters, open, onAdd }: { filters: Filters; open: string | null; onAdd: () => void }) {
  const found = useCorrections(filters);
  const total = found.data?.total ?? null;
  const said = narrows(filters) && !found.isPlaceholderData ? total : null;
  useEffect(() => {
    if (said !== null) announce(en.memory.found(said));
  }, [said, filters]);
  if (found.isPending) return <Skeleton lines={6} />;
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  const { items } = found.data;
  if (items.length === 0) return <Nothing filters={filters} onAdd={onAdd} />;
  const more = found.hasNextPage && !found.isFetchingNextPage;
  return (
    <div aria-busy={found.isPlaceholderData}>
      <p className="memory-count tabular">{en.memory.shown(found.data.total, found.data.total)}</p>
      <Rows items={items} total={found.data.total} open={open} onEnd={more ? () => void found.fetchNextPage() : undefined} />
    </div>
  );
}

function Nothing({ filters, onAdd }: { filters: Filters; onAdd: () => void }) {
  const words = en.memory;
  if (narrows(filters))
    return (
      <EmptyState
        icon="search"
        title={words.nothing.title}
        action={<Button onClick={() => setFilters({ ...NO_FILTERS, state: filters.state })}>{words.filters.clear}</Button>}
      />
    );
  if (filters.state === "superseded") return <EmptyState icon="memory" title={words.nothing.superseded} />;
  return (
    <EmptyState
      icon="memory"
      title={words.empty.title}
      action={
        <Button icon="plus" onClick={onAdd}>
          {words.add}
        </Button>
      }
    >
      <p>{words.empty.how}</p>
      <p className="memory-example">{words.empty.example}</p>
      <p className="memory-example">{words.empty.also}</p>
      <p>{words.empty.where}</p>
    </EmptyState>
  );
}
