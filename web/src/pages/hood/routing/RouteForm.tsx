import type { SubmitEvent } from "react";
import { useCouncil } from "../../../answer/seats";
import { LEVELS } from "../../../composer/choices";
import { LONGEST } from "../../../composer/length";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Field, TextInput } from "../../../ui/Field";
import { Segmented } from "../../../ui/Segmented";
import { Select } from "../../../ui/Select";
import { TextArea } from "../../../ui/TextArea";
import { MemberName } from "../parts";
import { useDomains } from "../reads";
import type { Draft, Problem } from "./wanted";
import "./routing.css";

const words = en.hood.routing;
const SHAPES = (["auto", "closed", "open"] as const).map((value) => ({ value, label: words.shapes[value] }));

interface RouteFormProps {
  draft: Draft;
  problem: Problem | null;
  busy: boolean;
  onChange: (change: Partial<Draft>) => void;
  onSubmit: () => void;
}

/** What the question is, at which level, and what members are supposed to say. */
export function RouteForm({ draft, problem, busy, onChange, onSubmit }: RouteFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="hood-form" onSubmit={submit} noValidate>
      <Segmented
        label={words.by}
        value={draft.by}
        onChoose={(by) => onChange({ by })}
        options={[
          { value: "text", label: words.byText },
          { value: "domain", label: words.byDomain },
        ]}
      />
      <Subject draft={draft} error={problem === "missing" ? words.missing : undefined} onChange={onChange} />
      <div className="hood-form-row">
        <div className="field">
          <span className="field-label">{words.level}</span>
          <Segmented label={words.level} value={draft.level} options={LEVELS} onChoose={(level) => onChange({ level })} />
        </div>
        <div className="field">
          <span className="field-label">{words.shape}</span>
          <Segmented label={words.shape} value={draft.shape} options={SHAPES} onChoose={(shape) => onChange({ shape })} />
        </div>
      </div>
      <Suppose draft={draft} error={problem === "badSure" ? words.badSure : undefined} onChange={onChange} />
      <div>
        <Button kind="primary" type="submit" busy={busy}>
          {words.run}
        </Button>
      </div>
    </form>
  );
}

interface PartProps {
  draft: Draft;
  error: string | undefined;
  onChange: (change: Partial<Draft>) => void;
}

function Subject({ draft, error, onChange }: PartProps) {
  const domains = useDomains();
  const nodes = domains.data?.nodes ?? [];
  if (draft.by === "text")
    return (
      <Field label={words.question} error={error}>
        {(control) => (
          <TextArea
            {...control}
            value={draft.text}
            maxLength={LONGEST}
            placeholder={words.questionPlaceholder}
            onChange={(event) => onChange({ text: event.target.value })}
          />
        )}
      </Field>
    );
  return (
    <Field label={words.domain} error={error}>
      {(control) => (
        <Select
          {...control}
          value={draft.domain}
          onChoose={(domain) => onChange({ domain })}
          options={[{ value: "", label: en.ui.none }, ...nodes.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
    </Field>
  );
}

function Suppose({ draft, error, onChange }: PartProps) {
  const council = useCouncil();
  const members = council.data ?? [];
  if (members.length === 0) return null;
  return (
    <details className="hood-suppose">
      <summary>{words.suppose}</summary>
      <p className="soft">{words.supposeHint}</p>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {members.map(({ seat }) => {
        const now = draft.supposed[seat] ?? { text: "", sure: "" };
        const set = (change: Partial<typeof now>) =>
          onChange({ supposed: { ...draft.supposed, [seat]: { ...now, ...change } } });
        return (
          <div key={seat} className="hood-suppose-row">
            <MemberName seat={seat} />
            <TextInput
              aria-label={words.says(seat)}
              value={now.text}
              maxLength={4_000}
              onChange={(event) => set({ text: event.target.value })}
            />
            <TextInput
              aria-label={words.sure(seat)}
              placeholder={words.sureShort}
              inputMode="decimal"
              value={now.sure}
              onChange={(event) => set({ sure: event.target.value })}
            />
          </div>
        );
      })}
    </details>
  );
}
