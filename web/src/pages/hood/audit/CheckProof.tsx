import { type ChangeEvent, type SubmitEvent, useState } from "react";
import { useMutation } from "../../../api/mutation";
import { ApiError } from "../../../api/errors";
import { api, data, type Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Field, TextInput } from "../../../ui/Field";
import { TextArea } from "../../../ui/TextArea";
import { Verdict } from "../work";
import { linesOf } from "./lines";
import { useRoot } from "./reads";
import { shown } from "../../../markdown/text";
import "./audit.css";

const words = en.hood.audit;

/** Checks a proof, of this log or any other: nothing of it has to be trusted but the key. */
export function CheckProof() {
  const [proof, setProof] = useState("");
  const [key, setKey] = useState("");
  const [witnesses, setWitnesses] = useState("");
  const own = useRoot().data?.key ?? null;
  const check = useMutation({
    mutationFn: () =>
      data(api.POST("/api/v1/audit/check", { body: { proof, key: key.trim(), witness_keys: [...linesOf(witnesses)] } })),
    meta: { quiet: true },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    check.mutate();
  };
  const typed = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    check.reset();
    set(event.target.value);
  };
  return (
    <form className="hood-form" onSubmit={submit}>
      <Field label={words.proofText} hint={words.proofHint}>
        {(control) => (
          <TextArea {...control} className="hood-mono" rows={5} maxLength={200_000} value={proof} onChange={typed(setProof)} />
        )}
      </Field>
      <ProofFile onText={setProof} />
      <Field label={words.proofKeyLabel}>
        {(control) => <TextInput {...control} className="hood-mono" maxLength={500} value={key} onChange={typed(setKey)} />}
      </Field>
      {own !== null && own !== key && (
        <div>
          <Button size="s" kind="quiet" onClick={() => setKey(own)}>
            {words.ownKey}
          </Button>
        </div>
      )}
      <Field label={words.witnessKeys} hint={words.witnessHint} optional>
        {(control) => <TextArea {...control} className="hood-mono" value={witnesses} onChange={typed(setWitnesses)} />}
      </Field>
      <div>
        <Button kind="primary" type="submit" busy={check.isPending} disabled={proof.trim() === "" || key.trim() === ""}>
          {words.checkNow}
        </Button>
      </div>
      {check.error && <Fails error={check.error} />}
      {check.data && <Holds proven={check.data} />}
    </form>
  );
}

function ProofFile({ onText }: { onText: (text: string) => void }) {
  const read = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    if (file) void file.text().then(onText);
  };
  return (
    <Field label={words.orFile}>{(control) => <input {...control} className="input" type="file" onChange={read} />}</Field>
  );
}

function Fails({ error }: { error: Error }) {
  const remedy = error instanceof ApiError ? error.remedy : "";
  return <Verdict tone="danger" title={words.fails} sentence={error.message} remedy={remedy} />;
}

function Holds({ proven }: { proven: Schemas["ProvenView"] }) {
  return (
    <>
      <Verdict tone="agree" title={words.holds} sentence={words.proves(proven.index, proven.size, shown(proven.origin))} />
      <pre className="hood-proven">{shown(proven.entry)}</pre>
      <p className="soft hood-anywhere">
        {words.signedBy}: {shown(proven.signed_by.join(", "))}
      </p>
    </>
  );
}
