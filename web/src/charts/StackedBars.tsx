import { type KeyboardEvent, useCallback, useState } from "react";
import UPlot from "uplot";
import type { Palette } from "./palette";
import { type Drawing, Plot } from "./Plot";
import { type Layer, tops } from "./stacks";

interface StackedBarsProps {
  /** Names of the bars, one a day, oldest first. */
  days: readonly string[];
  layers: readonly Layer[];
  /** What the chart shows, for screen readers. */
  label: string;
  /** What stands at the axis beside a value. */
  format: (value: number) => string;
  /** What one bar says, in words. */
  readout: (at: number) => string;
}

const HEIGHT = 260;
const BAR = 0.7;
const WIDEST = 56;
const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 };

function heightOf(): number {
  return HEIGHT;
}

/** One bar a day, its parts upon one another. The pointer or the arrow keys read one day at a time. */
export default function StackedBars({ days, layers, label, format, readout }: StackedBarsProps) {
  const [at, setAt] = useState<number | null>(null);
  const last = days.length - 1;
  const draw = useCallback((palette: Palette) => drawing(palette, days, layers, format), [days, layers, format]);
  const shown = Math.min(at ?? last, last);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.key === "Home" ? 0 : event.key === "End" ? last : shown + (KEYS[event.key] ?? Number.NaN);
    if (Number.isNaN(next)) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, next)));
  };
  return (
    <div className="chart-bars">
      <div
        className="chart-bars-plot"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={readout(shown)}
        onKeyDown={onKeyDown}
      >
        <Plot draw={draw} heightOf={heightOf} at={at} onAt={setAt} />
      </div>
      <p className="chart-readout tabular" aria-hidden="true">
        {readout(shown)}
      </p>
    </div>
  );
}

function drawing(
  palette: Palette,
  days: readonly string[],
  layers: readonly Layer[],
  format: (value: number) => string,
): Drawing {
  const heights = tops(layers);
  const xs = days.map((_, at) => at);
  // The tallest is drawn first, so that each layer covers the foot of the one above it.
  const order = layers.map((_, at) => at).reverse();
  const bars = UPlot.paths.bars?.({ size: [BAR, WIDEST] });
  const series = order.map((at): UPlot.Series => {
    const colour = palette.members[(layers[at]?.hue ?? 0) % palette.members.length] ?? palette.accent;
    return { fill: colour, stroke: palette.ground, width: 1, points: { show: false }, ...(bars ? { paths: bars } : {}) };
  });
  return { options: { ...frame(palette, days, format), series: [{}, ...series] }, data: [xs, ...order.map((at) => shown(heights[at] ?? [], layers[at]?.values ?? []))] };
}

/** The tops of one layer; null where it has no height, so that nothing is drawn there. */
function shown(heights: readonly number[], values: readonly number[]): (number | null)[] {
  return heights.map((height, day) => ((values[day] ?? 0) > 0 ? height : null));
}

function frame(palette: Palette, days: readonly string[], format: (value: number) => string): Omit<Drawing["options"], "series"> {
  const text = { font: palette.font, stroke: palette.soft, ticks: { show: false } };
  return {
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    padding: [12, 8, 0, 0],
    scales: {
      x: { time: false, range: [-0.6, days.length - 0.4] },
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.05 : 1] },
    },
    axes: [
      { ...text, grid: { show: false }, incrs: [1, 2, 7, 14, 30, 60, 90], space: 72, values: (_plot, at) => at.map((each) => days[each] ?? "") },
      { ...text, grid: { stroke: palette.line, width: 1 }, size: 64, values: (_plot, values) => values.map(format) },
    ],
  };
}
