import { type SubmitEvent, useState } from "react";
import { refusalOf } from "../refusal";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Field, TextInput } from "../../../ui/Field";
import { Icon } from "../../../ui/icons";
import { ErrorState, Skeleton } from "../../../ui/states";
import { useToast } from "../../../ui/Toast";
import { useChangePassphrase, useKeeping } from "./requests";

const words = en.keeping;
/** Characters below which a passphrase is refused here: it would be found by trying. */
const SHORTEST = 8;
const EMPTY = { old: "", next: "", again: "" };

/** What is wrong with a passphrase that was typed twice; null where nothing is. */
export function faultOf(next: string, again: string): "short" | "differ" | null {
  if (next.length < SHORTEST) return "short";
  return next === again ? null : "differ";
}

/** How the key is kept, what that does not protect, and the way to a passphrase. */
export function KeySection() {
  const keeping = useKeeping();
  if (keeping.isPending) return <Skeleton lines={4} />;
  if (keeping.isError) return <ErrorState error={keeping.error} onRetry={() => void keeping.refetch()} />;
  const { method, guarded, warning } = keeping.data;
  return (
    <section className="settings-group" aria-labelledby="key">
      <h2 id="key">{words.key}</h2>
      <p className="measure">{words.methods[method]}</p>
      {warning && (
        <p className="note note-warning">
          <Icon name="warning" size={18} />
          <span>{warning}</span>
        </p>
      )}
      {method !== "store" && <PassphraseForm guarded={guarded} />}
    </section>
  );
}

function PassphraseForm({ guarded }: { guarded: boolean }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(EMPTY);
  const [wrong, setWrong] = useState<"short" | "differ" | null>(null);
  const { mutate, error, isPending } = useChangePassphrase();
  const toast = useToast();
  const close = () => {
    setTyped(EMPTY);
    setOpen(false);
  };
  if (!open)
    return (
      <div>
        <Button icon="shield" onClick={() => setOpen(true)}>
          {guarded ? words.change : words.set}
        </Button>
      </div>
    );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fault = faultOf(typed.next, typed.again);
    setWrong(fault);
    const done = () => {
      close();
      toast({ text: words.was });
    };
    if (fault === null) mutate({ new: typed.next, old: guarded ? typed.old : null }, { onSuccess: done });
  };
  return (
    <form className="narrow-form" onSubmit={submit} noValidate>
      {guarded && (
        <Secret label={words.old} value={typed.old} kind="current-password" first onType={(old) => setTyped({ ...typed, old })} />
      )}
      <Secret
        label={words.new}
        hint={words.newHint}
        value={typed.next}
        kind="new-password"
        first={!guarded}
        error={wrong === "short" ? words.short : undefined}
        onType={(next) => setTyped({ ...typed, next })}
      />
      <Secret
        label={words.again}
        value={typed.again}
        kind="new-password"
        error={wrong === "differ" ? words.differ : undefined}
        onType={(again) => setTyped({ ...typed, again })}
      />
      <p className="note note-warning">
        <Icon name="warning" size={18} />
        <span>{words.noWayBack}</span>
      </p>
      {error && (
        <p className="field-error" role="alert">
          {refusalOf(error)}
        </p>
      )}
      <div className="form-foot">
        <Button onClick={close}>{en.ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={isPending}>
          {guarded ? words.change : words.set}
        </Button>
      </div>
    </form>
  );
}

interface SecretProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  kind: "current-password" | "new-password";
  first?: boolean;
  onType: (text: string) => void;
}

/** A box for a secret. */
export function Secret({ label, hint, error, value, kind, first = false, onType }: SecretProps) {
  return (
    <Field label={label} hint={hint} error={error} required>
      {(control) => (
        <TextInput
          {...control}
          type="password"
          autoComplete={kind}
          value={value}
          maxLength={1000}
          // The form has just been opened by a button that is gone.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={first}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  );
}
