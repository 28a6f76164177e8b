import { type SubmitEvent, useState } from "react";
import { refusalOf } from "../refusal";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Dialog } from "../../../ui/Dialog";
import { Field, TextInput } from "../../../ui/Field";
import { Select } from "../../../ui/Select";
import { Check } from "../models/AdditionParts";
import { type Scope, SCOPES, useMakeToken } from "./requests";

const words = en.keeping.access;
const DAY = 86_400_000;
const LIVES = ["never", "30", "90", "365"] as const;
type Life = (typeof LIVES)[number];

interface MakeTokenProps {
  onClose: () => void;
  onMade: (secret: string) => void;
}

/** Asks what a token is for, what it may do, and how long. */
export function MakeToken({ onClose, onMade }: MakeTokenProps) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["query", "stream"]);
  const [life, setLife] = useState<Life>("never");
  const { mutate, error, isPending } = useMakeToken();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const ends = life === "never" ? null : new Date(Date.now() + Number(life) * DAY).toISOString();
    mutate(
      { name: name.trim(), scopes: SCOPES.filter((scope) => scopes.includes(scope)), expires_at: ends },
      { onSuccess: ({ secret }) => onMade(secret) },
    );
  };
  const toggle = (scope: Scope, on: boolean) => setScopes(on ? [...scopes, scope] : scopes.filter((each) => each !== scope));
  return (
    <Dialog open onOpenChange={onClose} title={words.makeTitle}>
      <form className="addition" onSubmit={submit} noValidate>
        <Field label={words.name} required>
          {(control) => (
            <TextInput
              {...control}
              value={name}
              maxLength={80}
              placeholder={words.nameExample}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <fieldset className="scope-choices">
          <legend className="field-label">{words.scopes}</legend>
          {SCOPES.map((scope) => (
            <Check
              key={scope}
              label={words.scopeNames[scope]}
              checked={scopes.includes(scope)}
              onCheck={(on) => toggle(scope, on)}
            />
          ))}
          {scopes.length === 0 && <p className="field-error">{words.noScope}</p>}
        </fieldset>
        <Field label={words.ends}>
          {(control) => (
            <Select
              {...control}
              value={life}
              options={LIVES.map((value) => ({ value, label: value === "never" ? words.never : words.inDays(Number(value)) }))}
              onChoose={setLife}
            />
          )}
        </Field>
        {error && (
          <p className="field-error" role="alert">
            {refusalOf(error)}
          </p>
        )}
        <div className="form-foot">
          <Button onClick={onClose}>{en.ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={isPending} disabled={name.trim() === "" || scopes.length === 0}>
            {words.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
