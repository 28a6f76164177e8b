import { en } from "../../../strings/en";
import { integer } from "../../../strings/numbers";
import { Badge } from "../../../ui/Badge";
import { ErrorState, Skeleton } from "../../../ui/states";
import { type Column, Table } from "../../../ui/Table";
import { SettingsForm } from "../SettingsForm";
import { AddedModels } from "./AddedModels";
import { EmbeddedModels } from "./EmbeddedModels";
import { type Models, useModels } from "./requests";

type Seat = Models["seats"][number];

const words = en.models;
const COLUMNS: readonly Column<Seat>[] = [
  { key: "seat", header: words.seatColumns.seat, cell: (seat) => seat.seat },
  { key: "model", header: words.seatColumns.model, cell: (seat) => seat.model },
  { key: "where", header: words.seatColumns.where, cell: (seat) => (seat.local ? words.local : words.away) },
  { key: "window", header: words.seatColumns.window, numeric: true, cell: (seat) => words.window(integer(seat.window)) },
  {
    key: "vote",
    header: words.seatColumns.vote,
    cell: (seat) => (seat.votes ? words.votes : <Badge tone="doubt">{words.state.silent}</Badge>),
  },
];

/** Which models there are, which of them sit in the council, and how more come to be there. */
export function ModelsSection() {
  const models = useModels();
  if (models.isPending) return <Skeleton lines={8} />;
  if (models.isError) return <ErrorState error={models.error} onRetry={() => void models.refetch()} />;
  return (
    <>
      <EmbeddedModels models={models.data} />
      <AddedModels models={models.data.added} />
      <section className="settings-group" aria-labelledby="models-seats">
        <h2 id="models-seats">{words.seats}</h2>
        <p className="soft">{words.seatsHint}</p>
        <Table caption={words.seats} columns={COLUMNS} rows={models.data.seats} rowKey={(seat) => seat.seat} />
      </section>
      <SettingsForm section="models" />
    </>
  );
}
