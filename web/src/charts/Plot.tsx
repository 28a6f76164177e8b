import { useEffect, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./charts.css";
import { type Palette, paletteAt } from "./palette";
import { useLook } from "./theme";

export interface Drawing {
  readonly options: Omit<UPlot.Options, "width" | "height">;
  readonly data: UPlot.AlignedData;
}

interface PlotProps {
  /** Makes the plot from the colours of now. Another function is another plot: keep it stable. */
  draw: (palette: Palette) => Drawing;
  /** Height for a width, both in CSS pixels. */
  heightOf: (width: number) => number;
  /** The point that the pointer or the keyboard is on, or null. */
  at?: number | null;
  onAt?: (at: number | null) => void;
}

/** A canvas of uPlot that follows the width of its place and the theme. It says nothing: what stands beside it does. */
export function Plot({ draw, heightOf, at = null, onAt }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const told = useRef(onAt);
  const look = useLook();
  useEffect(() => {
    told.current = onAt;
  }, [onAt]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const { options, data } = draw(paletteAt(element));
    const size = () => ({ width: element.clientWidth, height: heightOf(element.clientWidth) });
    const hooks = { ...options.hooks, setCursor: [(own: UPlot) => told.current?.(own.cursor.idx ?? null)] };
    const made = new UPlot({ ...options, ...size(), hooks }, data, element);
    const observer = new ResizeObserver(() => made.setSize(size()));
    observer.observe(element);
    plot.current = made;
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // `look` is no value that is read here: it says that colours are others now.
  }, [draw, heightOf, look]);
  useEffect(() => {
    const made = plot.current;
    if (made === null || (made.cursor.idx ?? null) === at) return;
    const x = at === null ? undefined : made.data[0][at];
    made.setCursor(x === undefined ? { left: -10, top: -10 } : { left: made.valToPos(x, "x"), top: 0 }, false);
  }, [at]);
  return <div ref={place} className="chart-plot" />;
}
