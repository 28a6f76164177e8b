import { en } from "../strings/en";
import { Meter } from "../ui/Meter";
import "./bars.css";

/** Factors that take from the score instead of adding to it. */
const LOWER: ReadonlySet<string> = new Set(["staleness", "token_cost"]);

/** What a remembered thing was weighed by: eight factors in [0, 1], in their order, as bars with their values. */
export function FactorBars({ factors }: { factors: Readonly<Record<string, number>> }) {
  return (
    <dl className="bars tabular">
      {Object.entries(en.answer.memory.factors).map(([name, label]) => (
        <Bar key={name} label={label} value={factors[name] ?? 0} lowers={LOWER.has(name)} />
      ))}
    </dl>
  );
}

function Bar({ label, value, lowers }: { label: string; value: number; lowers: boolean }) {
  const shown = value.toFixed(2);
  const name = lowers ? `${label}, ${en.bars.lowers}` : label;
  return (
    <div className="bar">
      <dt title={name}>
        {label}
        {lowers && <span className="bar-lowers" aria-hidden="true" />}
      </dt>
      <dd>
        <Meter label={name} value={value} words={shown} tone={lowers ? "differ" : "accent"} />
        <span>{shown}</span>
      </dd>
    </div>
  );
}
