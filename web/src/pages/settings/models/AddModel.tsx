import { type SubmitEvent, useState } from "react";
import { refusalOf } from "../refusal";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Dialog } from "../../../ui/Dialog";
import { Field, TextInput } from "../../../ui/Field";
import { Select } from "../../../ui/Select";
import { ErrorState, Skeleton } from "../../../ui/states";
import { useToast } from "../../../ui/Toast";
import { additionOf, type AdditionForm, begun, type Missing, missing, OWN } from "./addition";
import { AdditionMore, Check, KeyField, ModelFields, type PartProps, Reach } from "./AdditionParts";
import { type Provider, useAddModel, usePresets, useRemoveModel } from "./requests";

/** Asks what is needed to add a model, and no more. */
export function AddModel({ onClose }: { onClose: () => void }) {
  const presets = usePresets();
  return (
    <Dialog open onOpenChange={onClose} title={en.models.form.title} description={en.models.form.text}>
      {presets.isPending && <Skeleton lines={5} />}
      {presets.isError && <ErrorState error={presets.error} onRetry={() => void presets.refetch()} />}
      {presets.data && <AdditionDialog presets={presets.data} onClose={onClose} />}
    </Dialog>
  );
}

function AdditionDialog({ presets, onClose }: { presets: readonly Provider[]; onClose: () => void }) {
  const words = en.models.form;
  const [form, setForm] = useState<AdditionForm>(() => begun(presets[0]));
  const [lacks, setLacks] = useState<Missing>({});
  const provider = presets.find((each) => each.name === form.preset);
  const { submit, refused, busy } = useAdding(onClose);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const now = missing(form, provider);
    setLacks(now);
    if (Object.keys(now).length === 0) submit(additionOf(form, provider));
  };
  const part: PartProps = { form, provider, lacks, change: (news) => setForm((before) => ({ ...before, ...news })) };
  return (
    <form className="addition" onSubmit={send} noValidate>
      <Field label={words.provider}>
        {(control) => (
          <Select
            {...control}
            value={form.preset}
            options={[...presets.map((each) => ({ value: each.name, label: each.title })), { value: OWN, label: words.own }]}
            onChoose={(name) => {
              setForm(begun(presets.find((each) => each.name === name)));
              setLacks({});
            }}
          />
        )}
      </Field>
      <ModelFields {...part} />
      <KeyField {...part} />
      <Field label={words.name} hint={words.nameHint} optional>
        {(control) => (
          <TextInput {...control} value={form.name} maxLength={100} onChange={(event) => part.change({ name: event.target.value })} />
        )}
      </Field>
      <Check label={words.sees} checked={form.sees} onCheck={(sees) => part.change({ sees })} />
      <AdditionMore {...part} />
      <Reach form={form} />
      {refused && (
        <p className="field-error" role="alert">
          {refusalOf(refused)}
        </p>
      )}
      <div className="form-foot">
        <Button onClick={onClose}>{en.ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={busy}>
          {words.submit}
        </Button>
      </div>
    </form>
  );
}

/** Adds, says so, and offers to take it back. */
function useAdding(onClose: () => void) {
  const { mutate: add, error: refused, isPending: busy } = useAddModel();
  const { mutate: remove } = useRemoveModel();
  const toast = useToast();
  const submit = (wanted: Parameters<typeof add>[0]) =>
    add(wanted, {
      onSuccess: ({ name }) => {
        onClose();
        toast({ text: en.models.form.done(name), undo: () => remove(name) });
      },
    });
  return { submit, refused, busy };
}
