import type { Schemas } from "../../../api/client";
import { ReliabilityPlot } from "../../../charts";
import { errorFloor } from "../../../charts/statistics";
import { en } from "../../../strings/en";
import { integer, percent } from "../../../strings/numbers";
import { type Column, Table } from "../../../ui/Table";
import { Figures } from "../parts";
import "./calibration.css";

type Bin = Schemas["Bin"];

const words = en.hood.calibration;
const AXES = [words.axisSaid, words.axisRight] as const;

const COLUMNS: readonly Column<Bin>[] = [
  { key: "said", header: words.said, numeric: true, cell: (bin) => percent(bin.p) },
  {
    key: "range",
    header: words.range,
    numeric: true,
    cell: (bin) => en.hood.intervalShort(bin.from_p, bin.to_p),
  },
  { key: "right", header: words.right, numeric: true, cell: (bin) => percent(bin.right) },
  { key: "interval", header: words.interval, numeric: true, cell: (bin) => en.hood.intervalShort(bin.low, bin.high) },
  { key: "count", header: words.n, numeric: true, cell: (bin) => integer(bin.count) },
];

interface DiagramProps {
  /** Whose sureness it is. */
  who: string;
  diagram: Schemas["Diagram"];
  /** What is learned from what a member states. */
  curve?: readonly number[];
}

/** A reliability plot, its measures with what they rest on, and the same numbers as a table. */
export function Diagram({ who, diagram, curve }: DiagramProps) {
  const { bins, count, error, brier } = diagram;
  const floor = errorFloor(bins);
  return (
    <div className="hood-diagram">
      <figure className="hood-diagram-plot">
        <ReliabilityPlot label={words.plot(who, bins.length)} groups={bins} axes={AXES} {...(curve ? { curve } : {})} />
        <figcaption className="hood-key">
          <span className="hood-key-item">{words.keyPerfect}</span>
          <span className="hood-key-item hood-key-group">{words.keyGroup}</span>
          {curve && <span className="hood-key-item hood-key-curve">{words.keyCurve}</span>}
        </figcaption>
      </figure>
      <div className="hood-diagram-numbers">
        <Figures
          figures={[
            {
              label: words.error,
              value: error === null ? en.ui.none : words.points(error),
              ...(floor === null ? {} : { basis: words.floor(floor, count) }),
            },
            { label: words.brier, value: brier === null ? en.ui.none : brier.toFixed(3), basis: words.brierBasis },
            { label: words.decisions, value: integer(count) },
          ]}
        />
        <Table caption={words.table} captionShown columns={COLUMNS} rows={bins} rowKey={(bin) => String(bin.from_p)} />
      </div>
    </div>
  );
}
