import { useCallback } from "react";
import type UPlot from "uplot";
import { percent } from "../strings/numbers";
import type { Palette } from "./palette";
import { type Drawing, Plot } from "./Plot";

export interface Group {
  readonly p: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

interface ReliabilityPlotProps {
  groups: readonly Group[];
  /** From what is stated to what is learned from it, at equal steps from 0 to 1; empty where nothing was learned. */
  curve?: readonly number[];
  axes: readonly [string, string];
}

const WIDEST = 460;
const SMALLEST_DOT = 3.5;
const LARGEST_DOT = 8;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const NONE: readonly number[] = [];

/** A square is easiest to read against its diagonal. */
function heightOf(width: number): number {
  return Math.min(width, WIDEST) + 8;
}

/** How sure against how often right: the diagonal is perfect, dots are groups of decisions with their intervals. */
export default function ReliabilityPlot({ groups, curve = NONE, axes }: ReliabilityPlotProps) {
  const [said, right] = axes;
  const draw = useCallback(
    (palette: Palette): Drawing => ({
      options: options(palette, [said, right], (plot) => paint(plot, palette, groups, curve)),
      data: [[0, 1], [null, null]],
    }),
    [groups, curve, said, right],
  );
  return <Plot draw={draw} heightOf={heightOf} />;
}

function options(palette: Palette, labels: readonly string[], onDraw: (plot: UPlot) => void): Drawing["options"] {
  const axis = (label: string): UPlot.Axis => ({
    label,
    labelFont: palette.font,
    labelSize: 20,
    font: palette.font,
    stroke: palette.soft,
    grid: { stroke: palette.line, width: 1 },
    ticks: { show: false },
    splits: TICKS,
    values: (_plot, values) => values.map((each) => percent(each)),
  });
  return {
    legend: { show: false },
    cursor: { show: false },
    padding: [12, 16, 0, 0],
    scales: { x: { time: false, range: [0, 1] }, y: { range: [0, 1] } },
    axes: [axis(labels[0] ?? ""), { ...axis(labels[1] ?? ""), size: 52 }],
    series: [{}, { show: true, paths: () => null, points: { show: false } }],
    hooks: { draw: [onDraw] },
  };
}

function paint(plot: UPlot, palette: Palette, groups: readonly Group[], curve: readonly number[]): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const x = (value: number) => plot.valToPos(value, "x", true);
  const y = (value: number) => plot.valToPos(value, "y", true);
  const line = (points: readonly (readonly [number, number])[], colour: string, width: number, dash: number[] = []) => {
    ctx.beginPath();
    for (const [across, up] of points) ctx.lineTo(x(across), y(up));
    ctx.strokeStyle = colour;
    ctx.lineWidth = width * ratio;
    ctx.setLineDash(dash.map((each) => each * ratio));
    ctx.stroke();
  };
  ctx.save();
  line([[0, 0], [1, 1]], palette.soft, 1, [4, 4]); // prettier-ignore
  const step = Math.max(1, curve.length - 1);
  if (curve.length > 1) line(curve.map((value, at) => [at / step, value] as const), palette.doubt, 1.5, [2, 3]);
  const most = Math.max(1, ...groups.map((group) => group.count));
  for (const { p, low, high } of groups) line([[p, low], [p, high]], palette.ink, 1.5); // prettier-ignore
  for (const { p, right, count } of groups) {
    // Area, not radius, stands for the number of decisions.
    const radius = SMALLEST_DOT + (LARGEST_DOT - SMALLEST_DOT) * Math.sqrt(count / most);
    ctx.beginPath();
    ctx.arc(x(p), y(right), radius * ratio, 0, 2 * Math.PI);
    ctx.fillStyle = palette.accent;
    ctx.fill();
    ctx.lineWidth = ratio;
    ctx.setLineDash([]);
    ctx.strokeStyle = palette.ground;
    ctx.stroke();
  }
  ctx.restore();
}
