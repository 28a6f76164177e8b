import { useState } from "react";
import { en } from "../../../strings/en";
import { duration, money } from "../../../strings/numbers";
import { AlertDialog } from "../../../ui/AlertDialog";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { IconButton } from "../../../ui/IconButton";
import { VerdictMark } from "../../../ui/marks";
import { Switch } from "../../../ui/Switch";
import { useToast } from "../../../ui/Toast";
import { AddModel } from "./AddModel";
import { hostOf } from "./addition";
import { type Added, useRemoveModel, useSwitchModel, useTestModel } from "./requests";
import { shown } from "../../../markdown/text";

/** Models at an address, and the way to add one. */
export function AddedModels({ models }: { models: readonly Added[] }) {
  const words = en.models;
  const [adding, setAdding] = useState(false);
  return (
    <section className="settings-group" aria-labelledby="models-added">
      <div className="group-head">
        <h2 id="models-added">{words.added}</h2>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      </div>
      <p className="soft">{models.length > 0 ? words.addedHint : `${words.addedHint} ${words.noneAdded}`}</p>
      <ul className="models">
        {models.map((model) => (
          <AddedRow key={model.name} model={model} />
        ))}
      </ul>
      {adding && <AddModel onClose={() => setAdding(false)} />}
    </section>
  );
}

function AddedRow({ model }: { model: Added }) {
  const words = en.models;
  const [removing, setRemoving] = useState(false);
  const { mutate: turn, isPending: turning } = useSwitchModel();
  const test = useTestModel();
  const facts = [model.model_id, hostOf(model.base_url), model.has_key ? words.keyKept : words.noKey, priceOf(model)];
  return (
    <li className="model">
      <div className="model-words">
        <p className="model-name">
          {shown(model.name)}
          {model.local ? <Badge>{words.local}</Badge> : <Badge tone="doubt" icon="warning">{words.away}</Badge>}
        </p>
        <p className="soft tabular">{facts.filter(Boolean).join(" · ")}</p>
        <p className="soft">{!model.enabled ? words.off : model.local ? "" : words.receives}</p>
        <TestOutcome test={test} />
      </div>
      <div className="model-acts">
        <Button size="s" busy={test.isPending} aria-label={words.testOf(model.name)} onClick={() => test.mutate(model.name)}>
          {words.test}
        </Button>
        <div className="model-switch">
          <Switch
            label={words.askedOf(model.name)}
            checked={model.enabled}
            disabled={turning}
            onChange={(enabled) => turn({ name: model.name, enabled })}
          />
        </div>
        <IconButton icon="trash" label={`${words.remove} ${model.name}`} onClick={() => setRemoving(true)} />
      </div>
      {removing && <RemoveAdded model={model} onClose={() => setRemoving(false)} />}
    </li>
  );
}

function priceOf(model: Added): string {
  if (!model.priced) return model.local ? "" : en.models.noPrice;
  return en.models.price(money(model.input_micros_per_mtok), money(model.output_micros_per_mtok));
}

/** How the last test went: how fast and what it said, or what was wrong and what to do. */
function TestOutcome({ test: { data: result } }: { test: ReturnType<typeof useTestModel> }) {
  const words = en.models;
  return (
    <div role="status">
      {result &&
        (result.ok ? (
          <p className="model-test tabular">
            <VerdictMark verdict="agree" size={14} />
            {[
              words.answered(duration(result.latency_ms / 1000)),
              result.first_token_ms == null ? "" : words.firstWord(duration(result.first_token_ms / 1000)),
              result.reply ? words.reply(result.reply) : "",
            ]
              .filter(Boolean)
              .join(" ")}
          </p>
        ) : (
          <p className="model-test model-test-failed">
            <VerdictMark verdict="differ" size={14} />
            <span>
              {result.message || result.error} {result.remedy}
            </span>
          </p>
        ))}
    </div>
  );
}

function RemoveAdded({ model, onClose }: { model: Added; onClose: () => void }) {
  const words = en.models;
  const { mutate, isPending } = useRemoveModel();
  const toast = useToast();
  const remove = () =>
    mutate(model.name, { onSuccess: () => toast({ text: words.removed(model.name) }), onSettled: onClose });
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={words.removeAdded(model.name)}
      description={model.has_key ? `${words.removeAddedText} ${words.removeAddedKey}` : words.removeAddedText}
      confirm={words.remove}
      danger
      busy={isPending}
      onConfirm={remove}
    />
  );
}
