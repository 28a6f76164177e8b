import type { Schemas } from "../../api/client";
import { effectiveVotes, mean } from "../../charts/statistics";
import { en } from "../../strings/en";
import { decimal, integer } from "../../strings/numbers";
import { EmptyState } from "../../ui/states";
import { Table } from "../../ui/Table";
import { fixed } from "./numbers";
import { Figures, Loaded, MemberName, Part } from "./parts";
import { useIndependence } from "./reads";
import "./votes.css";

type Independence = Schemas["Independence"];

const words = en.hood.votes;
/** From here on errors go together strongly, or somewhat: where the words of a cell change. */
const STRONG = 0.5;
const SOME = 0.2;

/** How many independent members the council is worth, and whose errors go together. */
export function VotesSection() {
  const independence = useIndependence();
  return (
    <Part level={2} title={en.hood.sections.votes} intro={words.intro}>
      <Loaded read={independence}>{(found) => <Found found={found} />}</Loaded>
    </Part>
  );
}

function Found({ found }: { found: Independence }) {
  if (found.members === 0)
    return (
      <EmptyState icon="hood" title={words.none}>
        {words.noneHow}
      </EmptyState>
    );
  const { effective_votes: votes } = found;
  return (
    <>
      <Figures
        figures={[
          {
            label: words.worth,
            value: votes === null ? words.unknown : decimal(votes),
            basis: votes === null ? words.unknownHow : words.of(found.members),
          },
        ]}
      />
      {votes !== null && <Worth found={found} />}
      <Part title={words.pairs} intro={words.pairsHint}>
        {found.pairs.length === 0 ? <p className="soft">{words.noPairs}</p> : <Matrix found={found} />}
      </Part>
    </>
  );
}

/** What one answer, two, … up to all of them are worth, by the mean correlation. */
function Worth({ found }: { found: Independence }) {
  const correlation = mean(found.pairs.map((pair) => pair.correlation)) ?? 0;
  const rows = Array.from({ length: found.members }, (_, at) => at + 1);
  return (
    <Part title={words.answers} intro={words.answersHint(correlation)}>
      <div className="hood-narrow">
        <Table
          caption={words.answers}
          columns={[
            { key: "n", header: words.asked, numeric: true, cell: integer },
            { key: "worth", header: words.isWorth, numeric: true, cell: (n) => fixed(effectiveVotes(n, correlation)) },
          ]}
          rows={rows}
          rowKey={String}
        />
      </div>
    </Part>
  );
}

function strength(correlation: number): "strong" | "some" | "weak" | "negative" {
  if (correlation < 0) return "negative";
  if (correlation >= STRONG) return "strong";
  return correlation >= SOME ? "some" : "weak";
}

/** Each pair once, below the diagonal; the shade only repeats the number and its word. */
function Matrix({ found: { pairs } }: { found: Independence }) {
  const seats = [...new Set(pairs.flatMap(({ first, second }) => [first, second]))].sort();
  const of = (a: string, b: string) =>
    pairs.find(({ first, second }) => (first === a && second === b) || (first === b && second === a));
  return (
    // The frame scrolls sideways, so the keyboard must be able to reach it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="hood-matrix-frame" role="region" aria-label={words.matrix} tabIndex={0}>
      <table className="hood-matrix">
        <caption className="visually-hidden">{words.matrix}</caption>
        <thead>
          <tr>
            <td />
            {seats.slice(0, -1).map((seat) => (
              <th key={seat} scope="col">
                <MemberName seat={seat} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {seats.slice(1).map((row, at) => (
            <tr key={row}>
              <th scope="row">
                <MemberName seat={row} />
              </th>
              {seats.slice(0, -1).map((column, across) =>
                across > at ? <td key={column} /> : <Cell key={column} correlation={of(row, column)?.correlation ?? null} />,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ correlation }: { correlation: number | null }) {
  if (correlation === null) return <td className="hood-matrix-cell">{en.ui.none}</td>;
  const how = strength(correlation);
  return (
    <td className={`hood-matrix-cell hood-matrix-${how}`}>
      <span className="tabular">{fixed(correlation)}</span> <span className="hood-matrix-word">{words[how]}</span>
    </td>
  );
}
