import { useState } from "react";
import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { percent } from "../../../strings/numbers";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { TextInput } from "../../../ui/Field";
import { IconButton } from "../../../ui/IconButton";
import { type Column, Table } from "../../../ui/Table";
import { useToast } from "../../../ui/Toast";
import { Loaded, Part } from "../parts";
import { useScores } from "../reads";
import { useScoreActs } from "./acts";
import { ScoreDialog } from "./ScoreDialog";
import { shown } from "../../../markdown/text";

type Score = Schemas["PublicScore"];

const words = en.hood.record;
const FEW = 8;

/** What is believed of models before any grade; a person's own figures first. */
export function Scores() {
  const scores = useScores();
  const [edited, setEdited] = useState<{ score: Score | null } | null>(null);
  const add = (
    <Button size="s" icon="plus" onClick={() => setEdited({ score: null })}>
      {words.add}
    </Button>
  );
  return (
    <Part title={words.scores} intro={words.scoresHint} actions={add}>
      <Loaded read={scores}>{(found) => <ScoreTable scores={found} onEdit={(score) => setEdited({ score })} />}</Loaded>
      {edited && <ScoreDialog score={edited.score} onClose={() => setEdited(null)} />}
    </Part>
  );
}

function matches(score: Score, text: string): boolean {
  return [score.model, ...score.also].some((name) => name.toLowerCase().includes(text));
}

function ScoreTable({ scores, onEdit }: { scores: readonly Score[]; onEdit: (score: Score) => void }) {
  const [find, setFind] = useState("");
  const [all, setAll] = useState(false);
  const forget = useForget();
  const found = scores
    .filter((score) => matches(score, find.trim().toLowerCase()))
    .toSorted((a, b) => Number(b.own) - Number(a.own));
  const columns: readonly Column<Score>[] = [
    { key: "model", header: words.model, cell: (row) => <Model row={row} /> },
    { key: "score", header: words.scoreHeader, numeric: true, cell: (row) => percent(row.score) },
    { key: "source", header: words.source, cell: (row) => <span className="soft">{shown(row.source)}</span> },
    {
      key: "acts",
      header: en.hood.actions,
      cell: (row) => (
        <span className="hood-row-acts">
          <IconButton size="s" icon="edit" label={words.edit(row.model)} onClick={() => onEdit(row)} />
          {row.own && <IconButton size="s" icon="trash" label={words.forget(row.model)} onClick={() => forget(row)} />}
        </span>
      ),
    },
  ];
  return (
    <>
      <div className="hood-filters">
        <TextInput
          type="search"
          aria-label={words.find}
          placeholder={words.find}
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
      </div>
      {found.length === 0 ? (
        <p className="soft">{words.noScores}</p>
      ) : (
        <Table caption={words.scores} columns={columns} rows={all ? found : found.slice(0, FEW)} rowKey={(row) => row.model} />
      )}
      {!all && found.length > FEW && (
        <div className="hood-more">
          <Button onClick={() => setAll(true)}>{en.hood.showAll(found.length)}</Button>
        </div>
      )}
    </>
  );
}

function Model({ row }: { row: Score }) {
  return (
    <span className="hood-named">
      <span>{shown(row.model)}</span>
      {row.own && <Badge tone="accent">{words.own}</Badge>}
    </span>
  );
}

/** Forgets a score of one's own, says what counts then, and offers to take it back. */
function useForget(): (score: Score) => void {
  const { put, forget } = useScoreActs();
  const toast = useToast();
  return ({ model, score, source }) =>
    forget.mutate(model, {
      onSuccess: ({ counts }) =>
        toast({
          text: words.forgotten(model),
          ...(counts ? { detail: words.falls(counts.score) } : {}),
          undo: () => put.mutate({ model, score, source }),
        }),
    });
}
