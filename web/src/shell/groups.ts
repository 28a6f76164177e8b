import { en } from "../strings/en";
import { month } from "../strings/numbers";

/** A row of the list of conversations: the name of a group, or one conversation. */
export type Row<T> = { readonly kind: "group"; readonly label: string } | { readonly kind: "item"; readonly item: T };

const WEEK_DAYS = 7;

/** The group in which something last used at `then` stands at `now`, by the reader's calendar. Both in milliseconds. */
export function groupOf(then: number, now: number): string {
  const days = daysBetween(then, now);
  if (days <= 0) return en.shell.conversations.today;
  if (days === 1) return en.shell.conversations.yesterday;
  return days <= WEEK_DAYS ? en.shell.conversations.week : month(then);
}

/** Rows with a heading before each group. `items` come latest first and stay in their order. */
export function grouped<T extends { readonly updated_at: string }>(items: readonly T[], now: number): readonly Row<T>[] {
  let before = "";
  return items.flatMap((item): Row<T>[] => {
    const label = groupOf(Date.parse(item.updated_at), now);
    const row: Row<T> = { kind: "item", item };
    if (label === before) return [row];
    before = label;
    return [{ kind: "group", label }, row];
  });
}

/** Whole days of the calendar, whatever hours a day has where the clocks change. */
function daysBetween(then: number, now: number): number {
  const day = (at: number) => {
    const date = new Date(at);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  };
  return day(now) - day(then);
}
