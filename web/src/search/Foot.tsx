import { en } from "../strings/en";
import { Kbd } from "../ui/words";
import { type Filter, FILTERS } from "./typed";

/** How to narrow down, and the keys. */
export function Foot({ onFilter }: { onFilter: (filter: Filter) => void }) {
  const words = en.search;
  return (
    <div className="palette-foot">
      <div className="palette-filters">
        <span>{words.hint}</span>
        {FILTERS.map((filter) => (
          <button
            key={filter}
            type="button"
            className="palette-filter"
            title={words.filterHints[filter]}
            aria-label={words.insert(words.filters[filter], words.filterHints[filter])}
            onClick={() => onFilter(filter)}
          >
            {words.filters[filter]}
          </button>
        ))}
      </div>
      <div className="palette-keys" aria-hidden="true">
        <Kbd keys={["↑", "↓"]} /> {words.keys.move}
        <Kbd keys={["↵"]} /> {words.keys.open}
        <Kbd keys={["Esc"]} /> {words.keys.close}
      </div>
    </div>
  );
}
