import "./data.css";
import { shown } from "../markdown/text";

/** Work that goes on: `done` of `total`, or without an end in sight where total is null. */
export function Progress({ label, done, total }: { label: string; done: number; total: number | null }) {
  return <progress className="progress" aria-label={shown(label)} {...(total === null ? {} : { value: done, max: total })} />;
}
