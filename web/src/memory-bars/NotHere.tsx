import { type SubmitEvent, useState } from "react";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Field } from "../ui/Field";
import { Select } from "../ui/Select";
import { ErrorState, Skeleton } from "../ui/states";
import { type Elsewhere, elsewhere, type Place } from "./places";
import { useFields, useMove, useOrigin } from "./requests";

interface NotHereProps {
  id: string;
  /** Of the question into whose answer it entered: where it was asked, and what it is about. */
  conversation: string;
  about: Readonly<Record<string, number>>;
  onMoved: () => void;
  onClose: () => void;
}

/** Something that is remembered does not belong into answers like this one: says where it shall hold instead. */
export function NotHere({ id, conversation, about, onMoved, onClose }: NotHereProps) {
  const origin = useOrigin(id);
  const fields = useFields();
  const failed = origin.error ?? fields.error;
  const retry = () => void Promise.all([origin.refetch(), fields.refetch()]);
  return (
    <Dialog open onOpenChange={onClose} title={en.bars.title} description={en.bars.hint}>
      {failed ? (
        <ErrorState error={failed} onRetry={retry} />
      ) : origin.data === undefined || fields.data === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <PlaceForm
          id={id}
          places={elsewhere({ origin: origin.data, conversation, about, fields: fields.data })}
          onMoved={onMoved}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

type Choice = "conversation" | "field";

interface PlaceFormProps {
  id: string;
  places: Elsewhere;
  onMoved: () => void;
  onClose: () => void;
}

function PlaceForm({ id, places, onMoved, onClose }: PlaceFormProps) {
  const words = en.bars;
  const [choice, setChoice] = useState<Choice>(places.conversation === null ? "field" : "conversation");
  const [field, setField] = useState(places.fields[0]?.id ?? "");
  const move = useMove(id);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    move.mutate(placeBy(choice, places, field), { onSuccess: onMoved });
  };
  if (places.conversation === null && places.fields.length === 0) return <p className="soft">{words.noPlace}</p>;
  const options = places.fields.map((each) => ({ value: each.id, label: each.name }));
  return (
    <form className="place-choice" onSubmit={submit}>
      <fieldset className="places">
        <legend className="visually-hidden">{words.choose}</legend>
        {places.conversation !== null && <Radio words={words.origin} value="conversation" {...{ choice, setChoice }} />}
        {options.length > 0 && <Radio words={words.field} value="field" {...{ choice, setChoice }} />}
      </fieldset>
      {choice === "field" && (
        <Field label={words.which} error={move.error?.message}>
          {(control) => <Select {...control} value={field} options={options} onChoose={setField} />}
        </Field>
      )}
      {choice === "conversation" && move.error && (
        <p className="field-error" role="alert">
          {move.error.message}
        </p>
      )}
      <div className="stack-foot">
        <Button onClick={onClose}>{en.ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={move.isPending}>
          {words.move}
        </Button>
      </div>
    </form>
  );
}

interface RadioProps {
  words: string;
  value: Choice;
  choice: Choice;
  setChoice: (next: Choice) => void;
}

function Radio({ words, value, choice, setChoice }: RadioProps) {
  return (
    <label>
      <input type="radio" name="place" checked={choice === value} onChange={() => setChoice(value)} />
      {words}
    </label>
  );
}

function placeBy(choice: Choice, { conversation }: Elsewhere, field: string): Place {
  return choice === "field" ? { scope: "domain", domain: field } : { scope: "conversation", conversation_id: conversation };
}
