import "./data.css";
import { Icon, type IconName } from "./icons";

/** Eight members can be told apart by shape alone; the ninth begins again. In a box of 16. */
const SHAPES = [
  "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z",
  "M3 3h10v10H3z",
  "M8 2.2 14.2 13.4H1.8z",
  "M8 1.5 14.5 8 8 14.5 1.5 8z",
  "M8 1.8l6.2 4.5-2.4 7.3H4.2L1.8 6.3z",
  "M8 1.3l1.9 4.4 4.8.4-3.6 3.1 1.1 4.7L8 11.4l-4.2 2.5 1.1-4.7L1.3 6.1l4.8-.4z",
  "M4.7 2.3h6.6L14.6 8l-3.3 5.7H4.7L1.4 8z",
  "M6 2h4v4h4v4h-4v4H6v-4H2V6h4z",
] as const;

/** The mark of a member: hue and shape number `seat` (from 0), room for it while that is unknown. Its name stands beside it. */
export function MemberMark({ seat, size = 14 }: { seat: number | null; size?: number }) {
  const at = (seat ?? 0) % SHAPES.length;
  return (
    <svg
      className={`member-mark member-${at + 1}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      {seat !== null && <path d={SHAPES[at]} />}
    </svg>
  );
}

export type Verdict = "agree" | "differ" | "doubt";

const GLYPHS: Readonly<Record<Verdict, IconName>> = { agree: "check", differ: "differ", doubt: "doubt" };

/** Whether something agrees, differs, or is in doubt: a glyph and a colour beside the words that say it. */
export function VerdictMark({ verdict, size = 16 }: { verdict: Verdict; size?: number }) {
  return (
    <span className={`verdict-mark verdict-${verdict}`}>
      <Icon name={GLYPHS[verdict]} size={size} />
    </span>
  );
}
