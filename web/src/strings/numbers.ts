/** Numbers as a person reads them, in the language of the catalogue. */
const LANGUAGE = "en";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;
const STEPS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [YEAR, "year"],
  [MONTH, "month"],
  [DAY, "day"],
  [HOUR, "hour"],
  [MINUTE, "minute"],
];

const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" });
const whole = new Intl.NumberFormat(LANGUAGE);
const rounded = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 1 });
const plurals = new Intl.PluralRules(LANGUAGE);

/** "1 answer", "2 answers". `other` is the plural; one that is not formed with -s must be given. */
export function count(n: number, one: string, other = `${one}s`): string {
  return `${whole.format(n)} ${plurals.select(n) === "one" ? one : other}`;
}

/** Characters of a text that is only quoted. */
const QUOTED = 120;

/** The beginning of a text that is quoted in a sentence, cut at a word. */
export function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/gu, " ");
  if (line.length <= QUOTED) return line;
  const cut = line.slice(0, QUOTED);
  const blank = cut.lastIndexOf(" ");
  return `${cut.slice(0, blank < QUOTED / 2 ? QUOTED : blank).trimEnd()}…`;
}

/** A whole number with separators. */
export function integer(n: number): string {
  return whole.format(n);
}

/** A number with at most one decimal place. */
export function decimal(n: number): string {
  return rounded.format(n);
}

/** How long ago `then` was at `now`, both in milliseconds: "3 hours ago", "in 2 days", "just now". */
export function ago(then: number, now: number): string {
  const seconds = (then - now) / 1000;
  const step = STEPS.find(([length]) => Math.abs(seconds) >= length);
  return step ? relative.format(Math.round(seconds / step[0]), step[1]) : "just now";
}

const moments = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "full", timeStyle: "short" });
const months = new Intl.DateTimeFormat(LANGUAGE, { month: "long", year: "numeric" });

/** A moment in full, in the reader's zone. then: milliseconds. */
export function moment(then: number): string {
  return moments.format(then);
}

/** The month of a moment, in the reader's zone: "March 2026". */
export function month(then: number): string {
  return months.format(then);
}

const days = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "long" });
const daysOfYears = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "long", year: "numeric" });

/** The day of a moment, in the reader's zone: "May 3", with the year where it is not the present one. */
export function day(at: Date, now = new Date()): string {
  return (at.getFullYear() === now.getFullYear() ? days : daysOfYears).format(at);
}

/** English outside of the countries that have a dollar of their own, where "$" alone would mean another one. */
const WORLD = "en-001";

/** Money from millionths of a dollar of the United States. Small amounts keep enough places to be told from nothing. */
export function money(micros: number): string {
  const dollars = micros / 1_000_000;
  if (micros === 0) return new Intl.NumberFormat(WORLD, { style: "currency", currency: "USD", maximumFractionDigits: 0 }).format(0);
  const places = Math.abs(dollars) >= 1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(Math.abs(dollars))));
  return new Intl.NumberFormat(WORLD, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: Math.min(2, places),
    maximumFractionDigits: Math.max(2, places),
  }).format(dollars);
}

/** A share in [0, 1] as a percentage with `places` decimal places. */
export function percent(share: number, places = 0): string {
  return new Intl.NumberFormat(LANGUAGE, {
    style: "percent",
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(share);
}

/** Seconds as "340 ms", "4.2 s" or "3 min 5 s". */
export function duration(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  if (milliseconds < 1000) return `${whole.format(milliseconds)} ms`;
  // Rounded first: else 119.7 seconds would be one minute and sixty seconds.
  const tenths = Math.round(seconds * 10) / 10;
  if (tenths < MINUTE) return `${rounded.format(tenths)} s`;
  const all = Math.round(seconds);
  return `${whole.format(Math.floor(all / MINUTE))} min ${whole.format(all % MINUTE)} s`;
}

const SIZES = ["B", "kB", "MB", "GB"] as const;

/** A size in bytes as "812 B", "48.2 kB" or "3.1 MB", in steps of 1,000. */
export function bytes(size: number): string {
  const step = size < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(size) / 3));
  return `${rounded.format(size / 1000 ** step)} ${SIZES[step] ?? "B"}`;
}
