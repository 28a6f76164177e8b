import { type SubmitEvent, useState } from "react";
import { refusalOf } from "../refusal";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Field, TextInput } from "../../../ui/Field";
import { ErrorState, Skeleton } from "../../../ui/states";
import { useToast } from "../../../ui/Toast";
import { useAdmit, useHandover, useMe, usePeople } from "./requests";
import { ShownOnce } from "./ShownOnce";

const words = en.keeping.access;
/** The one who installed the program. */
const LOCAL = "local";

/** Everybody who uses this installation, each with a store of their own. */
export function PeopleSection() {
  const me = useMe();
  const admin = me.data?.scopes.includes("admin") === true;
  const people = usePeople(admin);
  const handover = useHandover();
  return (
    <section className="settings-group" aria-labelledby="people">
      <h2 id="people">{words.people}</h2>
      <p className="soft">{words.peopleHint}</p>
      {me.data && !admin && <p className="soft">{words.notAllowed}</p>}
      {admin && people.isPending && <Skeleton lines={2} />}
      {people.isError && <ErrorState error={people.error} onRetry={() => void people.refetch()} />}
      <ul className="models">
        {(people.data ?? []).map(({ name }) => (
          <li key={name} className="model">
            <div className="model-words">
              <p className="model-name">{name}</p>
              {name === LOCAL && <p className="soft">{words.you}</p>}
            </div>
            <Button
              size="s"
              busy={handover.isPending && handover.variables === name}
              aria-label={words.addressOf(name)}
              onClick={() => handover.mutate(name)}
            >
              {words.address}
            </Button>
          </li>
        ))}
      </ul>
      {admin && <Admit />}
      {handover.data && (
        <ShownOnce
          title={words.addressTitle(handover.variables ?? "")}
          text={words.addressText(handover.data.seconds)}
          label={words.addressLabel}
          secret={`${location.origin}${handover.data.path}`}
          copied={words.addressCopied}
          onClose={handover.reset}
        />
      )}
    </section>
  );
}

function Admit() {
  const [name, setName] = useState("");
  const { mutate, error, isPending } = useAdmit();
  const toast = useToast();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    mutate(name.trim(), {
      onSuccess: () => {
        setName("");
        toast({ text: words.admitted(name.trim()) });
      },
    });
  };
  return (
    <form className="narrow-form" onSubmit={submit} noValidate>
      <Field
        label={words.person}
        hint={words.personHint}
        error={refusalOf(error)}
      >
        {(control) => (
          <TextInput
            {...control}
            value={name}
            maxLength={32}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" busy={isPending} disabled={name.trim() === ""}>
          {words.admit}
        </Button>
      </div>
    </form>
  );
}
