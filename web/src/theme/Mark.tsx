import "./mark.css";

/** Five seats in a half-circle, on an arc of radius 12 around (16, 22). The middle one speaks. */
const SEATS = [
  [4, 22],
  [7.5, 13.5],
  [16, 10],
  [24.5, 13.5],
  [28, 22],
] as const;
const SPEAKER = 2;

/** The mark of Auritas. Decoration beside the name; `label` where it stands alone. */
export function Mark({ size = 28, label }: { size?: number; label?: string }) {
  return (
    <svg
      className="mark"
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      {SEATS.map(([x, y], at) => (
        <circle key={x} className={at === SPEAKER ? "mark-speaker" : "mark-seat"} cx={x} cy={y} r={at === SPEAKER ? 4 : 2.75} />
      ))}
    </svg>
  );
}

/** Mark and name together. */
export function Wordmark({ name }: { name: string }) {
  return (
    <span className="wordmark">
      <Mark />
      <span>{name}</span>
    </span>
  );
}
