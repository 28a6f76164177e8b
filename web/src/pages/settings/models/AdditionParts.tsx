import { useId } from "react";
import { en } from "../../../strings/en";
import { Field, TextInput } from "../../../ui/Field";
import { Icon } from "../../../ui/icons";
import { Segmented } from "../../../ui/Segmented";
import { Select } from "../../../ui/Select";
import { type AdditionForm, hostOf, isOpen, type Missing, OTHER, staysHere } from "./addition";
import type { Provider } from "./requests";

export interface PartProps {
  form: AdditionForm;
  provider: Provider | undefined;
  lacks: Missing;
  change: (news: Partial<AdditionForm>) => void;
}

const words = en.models.form;
const PROTOCOLS = (["openai", "anthropic"] as const).map((value) => ({ value, label: words.protocols[value] }));

/** Where the model is, and which one. */
export function ModelFields({ form, provider, lacks, change }: PartProps) {
  const offers = provider?.models ?? [];
  const ownAddress = provider === undefined || staysHere(provider.base_url);
  return (
    <>
      {ownAddress && (
        <Field label={words.address} hint={words.addressHint} error={lacks.address && words.missing.address} required>
          {(control) => (
            <TextInput
              {...control}
              type="url"
              value={form.baseUrl}
              maxLength={1000}
              spellCheck={false}
              onChange={(event) => change({ baseUrl: event.target.value })}
            />
          )}
        </Field>
      )}
      {provider === undefined && (
        <Segmented
          label={words.protocol}
          value={form.protocol}
          options={PROTOCOLS}
          onChoose={(protocol) => change({ protocol })}
        />
      )}
      {offers.length > 0 && (
        <Field label={words.model} hint={words.asOf(provider?.as_of ?? "")}>
          {(control) => (
            <Select
              {...control}
              value={form.offer}
              options={[...offers.map((value) => ({ value, label: value })), { value: OTHER, label: words.other }]}
              onChoose={(offer) => change({ offer })}
            />
          )}
        </Field>
      )}
      {form.offer === OTHER && (
        <Field label={words.modelId} error={lacks.model && words.missing.model} required>
          {(control) => (
            <TextInput
              {...control}
              value={form.modelId}
              maxLength={200}
              spellCheck={false}
              autoCapitalize="off"
              onChange={(event) => change({ modelId: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** The key: sent once, never shown. */
export function KeyField({ form, provider, lacks, change }: PartProps) {
  const optional = provider?.needs_key !== true;
  return (
    <>
      <Field label={words.key} hint={words.keyHint} error={lacks.key && words.missing.key} required={!optional} optional={optional}>
        {(control) => (
          <TextInput
            {...control}
            type="password"
            autoComplete="off"
            data-1p-ignore
            value={form.key}
            maxLength={1000}
            onChange={(event) => change({ key: event.target.value })}
          />
        )}
      </Field>
      {form.key !== "" && <Check label={words.keyring} checked={form.inKeyring} onCheck={(inKeyring) => change({ inKeyring })} />}
      {form.key !== "" && isOpen(form.baseUrl) && (
        <Check label={words.open} hint={words.openHint} checked={form.openOk} onCheck={(openOk) => change({ openOk })} />
      )}
    </>
  );
}

/** What few need: the window and the price. */
export function AdditionMore({ form, lacks, change }: PartProps) {
  const boxes = [
    ["window", words.window, form.window],
    ["inputPrice", words.inputPrice, form.inputPrice],
    ["outputPrice", words.outputPrice, form.outputPrice],
  ] as const;
  return (
    <details className="addition-more">
      <summary>{words.more}</summary>
      <p className="field-hint">{words.priceHint}</p>
      {boxes.map(([key, label, value]) => (
        <Field key={key} label={label} optional>
          {(control) => (
            <TextInput
              {...control}
              className="tabular"
              inputMode="decimal"
              value={value}
              onChange={(event) => change({ [key]: event.target.value })}
            />
          )}
        </Field>
      ))}
      {lacks.number && (
        <p className="field-error" role="alert">
          {words.number}
        </p>
      )}
    </details>
  );
}

/** Whether questions leave this machine from now on, said before it is so. */
export function Reach({ form: { baseUrl } }: { form: AdditionForm }) {
  if (baseUrl.trim() === "") return null;
  if (staysHere(baseUrl.trim()))
    return (
      <p className="note">
        <Icon name="shield" size={18} />
        <span>{words.stays}</span>
      </p>
    );
  return (
    <p className="note note-warning">
      <Icon name="warning" size={18} />
      <span>
        <strong>{words.warning}</strong> {words.warningRest(hostOf(baseUrl.trim()))}
      </span>
    </p>
  );
}

interface CheckProps {
  label: string;
  hint?: string;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}

export function Check({ label, hint, checked, onCheck }: CheckProps) {
  const id = useId();
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onCheck(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
