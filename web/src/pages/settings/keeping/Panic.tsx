import { type SubmitEvent, useState } from "react";
import { refusalOf } from "../refusal";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Field, TextInput } from "../../../ui/Field";
import { usePanic } from "./requests";

const words = en.keeping.panic;
const WORD = "DESTROY";

/** Destroys everything after a word that nobody types by mistake. */
export function PanicSection() {
  const [word, setWord] = useState("");
  const { mutate, data: gone, error, isPending } = usePanic();
  if (gone) return <Gone {...gone} />;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (word === WORD) mutate();
  };
  return (
    <section className="settings-group panic" aria-labelledby="panic">
      <h2 id="panic">{words.sentence}</h2>
      <h3>{words.what}</h3>
      <ul className="panic-list">
        {words.list.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <h3>{words.stays}</h3>
      <p className="measure">{words.staysText}</p>
      <p className="measure">
        <strong>{words.noWay}</strong>
      </p>
      <form className="narrow-form" onSubmit={submit} noValidate>
        <Field label={words.word(WORD)} error={refusalOf(error)}>
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={word}
              onChange={(event) => setWord(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button kind="danger" type="submit" disabled={word !== WORD} busy={isPending}>
            {words.destroy}
          </Button>
        </div>
      </form>
    </section>
  );
}

function Gone({ removed, left, keyring_left }: { removed: number; left: number; keyring_left: boolean }) {
  return (
    <section className="settings-group" role="alert">
      <h2>{words.gone}</h2>
      <p>{words.goneText(removed)}</p>
      {left > 0 && <p>{words.left(left)}</p>}
      {keyring_left && <p className="note note-warning">{words.keyringLeft}</p>}
      <p className="soft">{words.then}</p>
    </section>
  );
}
