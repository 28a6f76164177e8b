import { useEffect, useState } from "react";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { TextInput } from "../../ui/Field";
import { Segmented } from "../../ui/Segmented";
import { type Option, Select } from "../../ui/Select";
import { useCount, type CorrectionType, type Scope } from "./corrections";
import { narrows, NO_FILTERS, setFilters, type Filters } from "./filters";
import { useProjects } from "./places";

/** Milliseconds after the last letter. */
const PAUSE = 150;
const LONGEST_TEXT = 200;

const TYPES: readonly Option<CorrectionType | "">[] = [
  { value: "", label: en.memory.everyType },
  ...(
    ["factual_correction", "persistent_instruction", "preference_rule", "project_decision", "domain_rule", "failure_pattern"] as const
  ).map((value) => ({ value, label: en.memory.types[value] })),
];
const SCOPES: readonly Option<Scope | "">[] = [
  { value: "", label: en.memory.everyScope },
  ...(["global", "project", "domain", "conversation"] as const).map((value) => ({ value, label: en.memory.scopes[value] })),
];

export function FilterBar({ filters }: { filters: Filters }) {
  const words = en.memory;
  const active = useCount("active");
  const superseded = useCount("superseded");
  // Where nothing was ever told there is nothing to choose from.
  if (active === 0 && superseded === 0 && !narrows(filters)) return null;
  const clear = () => setFilters({ ...NO_FILTERS, state: filters.state });
  return (
    <search className="memory-filters">
      <div className="memory-filters-line">
        <TextFilter text={filters.text} />
        <Segmented
          label={words.states.label}
          value={filters.state}
          options={[
            { value: "active", label: words.states.active(active) },
            { value: "superseded", label: words.states.superseded(superseded) },
          ]}
          onChoose={(state) => setFilters({ state })}
        />
      </div>
      <div className="memory-filters-line">
        <Select aria-label={words.filters.type} value={filters.type} options={TYPES} onChoose={(type) => setFilters({ type })} />
        <Select aria-label={words.filters.scope} value={filters.scope} options={SCOPES} onChoose={(scope) => setFilters({ scope })} />
        <ProjectFilter filters={filters} />
        <label className="memory-check">
          <input type="checkbox" checked={filters.pinned} onChange={(event) => setFilters({ pinned: event.target.checked })} />
          {words.filters.pinned}
        </label>
        {narrows(filters) && (
          <Button kind="quiet" size="s" icon="close" onClick={clear}>
            {words.filters.clear}
          </Button>
        )}
      </div>
    </search>
  );
}

/** The box keeps what is typed; the list follows when one pauses. */
function TextFilter({ text }: { text: string }) {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    // Cleared from elsewhere, not the echo of what was typed here.
    if (text === "") setTyped("");
  }
  useEffect(() => {
    const timer = setTimeout(() => setFilters({ text: typed }), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      type="search"
      className="memory-text"
      aria-label={en.memory.search}
      placeholder={en.memory.searchPlaceholder}
      maxLength={LONGEST_TEXT}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

function ProjectFilter({ filters }: { filters: Filters }) {
  const { data: projects } = useProjects();
  if (!projects || projects.length === 0 || (filters.scope !== "" && filters.scope !== "project")) return null;
  const options = [
    { value: "", label: en.memory.everyProject },
    ...projects.map((each) => ({ value: each.id, label: each.name })),
  ];
  return (
    <Select
      aria-label={en.memory.filters.project}
      value={filters.projectId}
      options={options}
      onChoose={(projectId) => setFilters({ projectId })}
    />
  );
}
