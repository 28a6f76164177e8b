import "./charts.css";

interface WhiskerProps {
  /** Each in [0, 1]. */
  value: number;
  low: number;
  high: number;
  /** Nothing was counted yet: the dot is hollow, for it is only what is expected. */
  expected?: boolean;
}

function length(share: number): string {
  return `${Math.min(1, Math.max(0, share)) * 100}%`;
}

/** A dot on its interval, on a scale from 0 to 1 with a mark at one half. Its numbers stand beside it in words. */
export function Whisker({ value, low, high, expected = false }: WhiskerProps) {
  return (
    <span className="whisker" aria-hidden="true">
      <span className="whisker-line" style={{ insetInlineStart: length(low), inlineSize: length(high - low) }} />
      <span
        className={expected ? "whisker-dot whisker-dot-expected" : "whisker-dot"}
        style={{ insetInlineStart: length(value) }}
      />
    </span>
  );
}
