import { Switch as Radix } from "radix-ui";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { TextInput } from "../../ui/Field";
import { type Option, Select } from "../../ui/Select";
import { explanationOf, nameOf, spoken, typed, valueOf } from "./fields";
import { Explained } from "./Explained";
import type { Setting, Value } from "./requests";
import { useSaving } from "./saving";

interface SettingRowProps {
  line: Setting;
  /** Values to choose from, where the page knows more than the setting says. */
  offers?: readonly Option<string>[] | undefined;
}

/** One setting: its name, what it means, its control, and where its value comes from. */
export function SettingRow({ line, offers }: SettingRowProps) {
  const id = useId();
  const { save, error } = useSaving(line);
  const control = { id, "aria-describedby": `${id}-means${error ? ` ${id}-error` : ""}`, disabled: !line.changeable };
  return (
    <div className="setting" data-setting={line.key}>
      <div className="setting-words">
        <label className="field-label" htmlFor={id}>
          {nameOf(line.key)}
        </label>
        <p className="field-hint" id={`${id}-means`}>
          <Explained text={explanationOf(line)} />
        </p>
      </div>
      <div className="setting-value">
        <Control line={line} offers={offers} save={save} control={control} invalid={error !== null} />
        <Origin line={line} onDefault={() => save(null)} />
        {error && (
          <p className="field-error" id={`${id}-error`} role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

interface ControlProps extends SettingRowProps {
  save: (value: Value | undefined) => void;
  control: { readonly id: string; readonly "aria-describedby": string; readonly disabled: boolean };
  invalid: boolean;
}

function Control({ line, offers, save, control, invalid }: ControlProps): ReactNode {
  if (line.kind === "switch")
    return (
      <Radix.Root {...control} className="switch" checked={line.value === true} onCheckedChange={save}>
        <Radix.Thumb className="switch-thumb" />
      </Radix.Root>
    );
  const options = offers ?? line.choices.map((value) => ({ value, label: spoken(line, value) }));
  if (options.length > 0)
    return (
      <Select
        {...control}
        value={String(line.value ?? "")}
        options={options}
        onChoose={(value) => save(value === "" ? null : value)}
      />
    );
  return <TypedControl line={line} save={save} control={control} invalid={invalid} />;
}

/** A box whose value counts once it is saved: by its button or the Enter key. Escape takes back what was typed. */
function TypedControl({ line, save, control, invalid }: Omit<ControlProps, "offers">) {
  const kept = typed(line, line.value);
  const [state, setState] = useState({ kept, text: kept });
  if (state.kept !== kept) setState({ kept, text: kept });
  const { text } = state;
  const setText = (next: string) => setState({ kept, text: next });
  const dirty = text !== kept;
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && dirty) save(valueOf(line, text));
    if (event.key === "Escape" && dirty) {
      event.stopPropagation();
      setText(kept);
    }
  };
  const number = line.kind === "whole" || line.kind === "number";
  return (
    <div className="setting-typed">
      <TextInput
        {...control}
        className={number ? "tabular" : ""}
        inputMode={number ? "decimal" : "text"}
        autoComplete="off"
        spellCheck={false}
        value={text}
        placeholder={typed(line, line.default)}
        aria-invalid={invalid || undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      {dirty && (
        <>
          <Button kind="primary" aria-label={en.settings.saveOf(nameOf(line.key))} onClick={() => save(valueOf(line, text))}>
            {en.settings.save}
          </Button>
          <Button kind="quiet" onClick={() => setText(kept)}>
            {en.settings.revert}
          </Button>
        </>
      )}
    </div>
  );
}

/** Whether the value is the default, and how it becomes that again. */
function Origin({ line, onDefault }: { line: Setting; onDefault: () => void }) {
  const words = en.settings;
  const from = line.origin === "environment" ? words.environment : line.changeable ? null : words.fixed;
  return (
    <p className="setting-origin soft">
      <span>
        {from ?? (line.origin === "default" ? words.isDefault : words.changed(spoken(line, line.default)))}
      </span>
      {from === null && line.origin !== "default" && (
        <button type="button" className="link-button" aria-label={words.toDefaultOf(nameOf(line.key))} onClick={onDefault}>
          {words.toDefault}
        </button>
      )}
      {!line.acts_now && line.changeable && <span>{words.laterStart}</span>}
    </p>
  );
}
