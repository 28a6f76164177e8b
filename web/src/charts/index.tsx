import { type ComponentProps, lazy, Suspense } from "react";
import { part } from "../part";
import { Skeleton } from "../ui/states";
import "./charts.css";

const Bars = lazy(() => part(() => import("./StackedBars")));
const Reliability = lazy(() => part(() => import("./ReliabilityPlot")));

/** Bars of parts by day. The library that draws is fetched when the first chart is shown. */
export function StackedBars(props: ComponentProps<typeof Bars>) {
  return (
    <Suspense fallback={<Waiting />}>
      <Bars {...props} />
    </Suspense>
  );
}

/** How sure against how often right, with its name for screen readers; a table beside it has the numbers. */
export function ReliabilityPlot({ label, ...props }: ComponentProps<typeof Reliability> & { label: string }) {
  return (
    <div className="chart-square" role="img" aria-label={label}>
      <Suspense fallback={<Waiting />}>
        <Reliability {...props} />
      </Suspense>
    </div>
  );
}

function Waiting() {
  return (
    <div className="chart-place">
      <Skeleton lines={4} />
    </div>
  );
}
