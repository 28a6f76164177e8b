import type { ReactNode } from "react";
import { useSeatNumbers } from "../../answer/seats";
import { Whisker } from "../../charts/Whisker";
import { en } from "../../strings/en";
import { MemberMark } from "../../ui/marks";
import { ErrorState, Skeleton } from "../../ui/states";
import { shown } from "../../markdown/text";

const words = en.hood;

interface PartProps {
  title: string;
  /** What it shows, in a sentence or two. */
  intro?: ReactNode;
  /** 2 for the part of the page that the address names, 3 for what is below it. */
  level?: 2 | 3;
  actions?: ReactNode;
  children: ReactNode;
}

/** A heading, what it is about, and what one can do beside it. */
export function Part({ title, intro, level = 3, actions, children }: PartProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section className={`hood-part hood-part-${level}`}>
      <header className="hood-head">
        <div className="hood-title">
          <Heading>{title}</Heading>
          {intro && <p className="hood-intro">{intro}</p>}
        </div>
        {actions && <div className="hood-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

interface Read<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** What was read; grey lines until it is here, and a way to try again where it cannot be read. */
export function Loaded<T>({ read, lines = 5, children }: { read: Read<T>; lines?: number; children: (data: T) => ReactNode }) {
  if (read.data !== undefined) return children(read.data);
  if (read.error) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />;
  return <Skeleton lines={lines} />;
}

export interface Figure {
  readonly label: string;
  readonly value: ReactNode;
  /** What the value rests on. */
  readonly basis?: ReactNode;
}

/** A few numbers that matter, each with its basis. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="hood-figures">
      {figures.map(({ label, value, basis }) => (
        <div key={label} className="hood-figure">
          <dt>{label}</dt>
          <dd className="hood-figure-value tabular">{value}</dd>
          {basis && <dd className="hood-figure-basis">{basis}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** A member by its mark and name. */
export function MemberName({ seat }: { seat: string }) {
  const number = useSeatNumbers();
  return (
    <span className="hood-member-name">
      <MemberMark seat={number(seat)} />
      <span>{shown(seat)}</span>
    </span>
  );
}

interface ShareProps {
  mean: number;
  low: number;
  high: number;
  /** Nothing was counted yet: it is what is expected before. */
  expected?: boolean;
  /** The words stand below the line, where a row has little room. */
  stacked?: boolean;
}

/** A share with its interval, as a dot on a line and in words. */
export function Share({ mean, low, high, expected = false, stacked = false }: ShareProps) {
  return (
    <span className={stacked ? "hood-share hood-share-stacked" : "hood-share"}>
      <Whisker value={mean} low={low} high={high} expected={expected} />
      <span className="hood-share-words tabular">{words.interval(mean, low, high)}</span>
    </span>
  );
}
