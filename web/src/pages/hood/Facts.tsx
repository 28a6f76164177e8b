import type { ReactNode } from "react";

/** What something is called, what it is, and what that means where it needs to be said. */
export type Fact = readonly [label: string, value: ReactNode, hint?: string | undefined];

/** Everything known of one thing, one below the other. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="hood-facts">
      {facts.map(([label, value, hint]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="hood-anywhere">{value}</dd>
          {hint && <dd className="hood-faint">{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}
