import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from "react";
import { useMutation } from "../../api/mutation";
import { api, data } from "../../api/client";
import { ApiError } from "../../api/errors";
import { announce } from "../../shell/announcer";
import { refusalOf } from "../settings/refusal";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Field, TextInput } from "../../ui/Field";
import { Icon } from "../../ui/icons";
import { useWait } from "./wait";

const words = en.unlock;

/** The passphrase, what was wrong with it, and how long to wait after too many wrong ones. */
export function UnlockForm() {
  const [passphrase, setPassphrase] = useState("");
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const wait = useWait();
  const { mutate, error, isPending } = useUnlock();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (passphrase === "" || wait.seconds > 0) return;
    mutate(passphrase, {
      onError: (refused) => {
        if (refused instanceof ApiError && refused.wait) wait.begin(refused.wait);
        box.current?.select();
      },
    });
  };
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState("CapsLock"));
  const tooOften = error instanceof ApiError && error.status === 429;
  const refused = tooOften ? "" : refusalOf(error);
  return (
    <form className="unlock-form" onSubmit={submit} noValidate>
      <Field label={words.label} error={wait.seconds > 0 ? undefined : refused} required>
        {(control) => (
          <TextInput
            {...control}
            ref={box}
            type={shown ? "text" : "password"}
            autoComplete="current-password"
            maxLength={1024}
            // Nothing else can be done on this page.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={passphrase}
            onChange={(event) => setPassphrase(event.target.value)}
            onKeyDown={look}
            onKeyUp={look}
          />
        )}
      </Field>
      <p className="soft" role="status">
        {capsLock ? words.capsLock : isPending ? words.opening : ""}
      </p>
      {wait.seconds > 0 && (
        <p className="field-error">
          <Icon name="warning" size={14} /> {words.wait(wait.seconds)}
        </p>
      )}
      <div className="unlock-box">
        <Button kind="primary" type="submit" busy={isPending} disabled={passphrase === "" || wait.seconds > 0}>
          {words.open}
        </Button>
        <Button kind="quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? words.hide : words.show}
        </Button>
      </div>
    </form>
  );
}

function useUnlock() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (passphrase: string) => data(api.POST("/api/v1/unlock", { body: { passphrase } })),
    onSuccess: () => {
      announce(words.opened);
      return client.invalidateQueries();
    },
    meta: { quiet: true },
  });
}
