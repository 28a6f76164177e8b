import { useState } from "react";
import { en } from "../../../strings/en";
import { bytes } from "../../../strings/numbers";
import { AlertDialog } from "../../../ui/AlertDialog";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { IconButton } from "../../../ui/IconButton";
import { Menu } from "../../../ui/Menu";
import { useToast } from "../../../ui/Toast";
import { RunProgress, useLatestRun } from "../RunProgress";
import { Fetching } from "./Fetching";
import { type Embedded, type Models, useFetchModels, useRemoveModel, useSelfTest } from "./requests";

/** Models that run in this program. */
export function EmbeddedModels({ models }: { models: Models }) {
  const words = en.models;
  const testing = useLatestRun("self-test");
  const silent = new Set(models.seats.filter((seat) => !seat.votes).map((seat) => seat.seat));
  const rows = models.embedded.toSorted((a, b) => Number(b.installed) - Number(a.installed));
  return (
    <section className="settings-group" aria-labelledby="models-here">
      <h2 id="models-here">{words.here}</h2>
      <p className="soft">{words.hereHint}</p>
      <Fetching models={models} />
      {testing && <RunProgress run={testing} label={words.testing} done={words.testDone} stopped={words.testDone} />}
      <ul className="models">
        {rows.map((model) => (
          <EmbeddedRow key={model.name} model={model} silent={silent.has(model.name)} />
        ))}
      </ul>
    </section>
  );
}

function EmbeddedRow({ model, silent }: { model: Embedded; silent: boolean }) {
  const words = en.models;
  const [removing, setRemoving] = useState(false);
  const { mutate: fetch, isPending } = useFetchModels();
  const { mutate: test } = useSelfTest();
  const items = [
    ...(model.kind === "answers"
      ? [
          {
            label: model.self_test ? words.testAgain : words.selfTest,
            icon: "retry" as const,
            onSelect: () => test({ name: model.name, again: model.self_test !== null }),
          },
        ]
      : []),
    { label: words.remove, icon: "trash" as const, danger: true, onSelect: () => setRemoving(true) },
  ];
  return (
    <li className="model">
      <div className="model-words">
        <p className="model-name">
          {model.title}
          {model.installed ? <Badge tone="agree">{words.state.here}</Badge> : <Badge>{words.state.missing}</Badge>}
          {silent && <Badge tone="doubt">{words.state.silent}</Badge>}
        </p>
        <p className="soft tabular">
          {[bytes(model.bytes), model.licence, model.own ? words.own : "", model.kind === "answers" ? "" : words.embeds]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {model.installed && model.kind === "answers" && <SelfTest model={model} />}
      </div>
      <div className="model-acts">
        {model.installed ? (
          <Menu trigger={<IconButton icon="more" label={words.actions(model.title)} />} groups={[items]} />
        ) : (
          <Button
            size="s"
            icon="download"
            busy={isPending}
            aria-label={words.fetchOf(model.title, bytes(model.bytes))}
            onClick={() => fetch(model.name)}
          >
            {words.fetch}
          </Button>
        )}
      </div>
      {removing && <RemoveEmbedded model={model} onClose={() => setRemoving(false)} />}
    </li>
  );
}

function SelfTest({ model: { self_test: test } }: { model: Embedded }) {
  const words = en.models;
  if (!test) return <p className="soft">{words.untested}</p>;
  const votes = test.votes > 0 ? words.testedVotes(test.votes_right, test.votes) : "";
  return (
    <p className="soft tabular" title={test.basis}>
      {words.tested(test.answers_right, test.answers) + votes}
    </p>
  );
}

function RemoveEmbedded({ model, onClose }: { model: Embedded; onClose: () => void }) {
  const words = en.models;
  const { mutate, isPending } = useRemoveModel();
  const toast = useToast();
  const remove = () =>
    mutate(model.name, { onSuccess: () => toast({ text: words.removed(model.title) }), onSettled: onClose });
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={words.removeHere(model.title)}
      description={model.own ? words.removeOwnText : words.removeHereText(bytes(model.bytes))}
      confirm={words.remove}
      danger
      busy={isPending}
      onConfirm={remove}
    />
  );
}
