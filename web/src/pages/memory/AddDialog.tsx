import { type SubmitEvent, useState } from "react";
import type { Schemas } from "../../api/client";
import { announce } from "../../shell/announcer";
import { useUndo } from "../../memory-bars/steering";
import { claimWords } from "../../claim/words";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Field, TextInput } from "../../ui/Field";
import { Select } from "../../ui/Select";
import { Switch } from "../../ui/Switch";
import { TextArea } from "../../ui/TextArea";
import { useToast } from "../../ui/Toast";
import { useAdd } from "./acts";
import { Settle } from "./Alike";
import { type Kept, LONGEST } from "./corrections";
import { EVERYWHERE, placeFrom, PlaceFields, type Where } from "./PlaceFields";
import { placeWords, useProjectNames } from "./places";
import { TOLD, type Told, useForeseen } from "./told";
import "./forms.css";

/** Characters left from which on they are counted out. */
const NEAR_END = 200;
const LONGEST_CONDITION = 500;
/** Of the choice of type: the words decide. */
const AS_READS = "reads";

/** One thing to remember, in one box; what it reads as is shown while it is written. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const [kept, setKept] = useState<Kept | null>(null);
  return (
    <Dialog open onOpenChange={onClose} title={en.memory.adding.title}>
      {kept ? <Resembles kept={kept} onDone={onClose} /> : <AddForm onClose={onClose} onResembles={setKept} />}
    </Dialog>
  );
}

interface Advanced {
  readonly type: Told | null;
  readonly where: Where;
  readonly query: string;
  readonly condition: string;
  readonly pinned: boolean;
}

const USUAL: Advanced = { type: null, where: EVERYWHERE, query: "", condition: "", pinned: false };

function AddForm({ onClose, onResembles }: { onClose: () => void; onResembles: (kept: Kept) => void }) {
  const words = en.memory.adding;
  const [claim, setClaim] = useState("");
  const [more, setMore] = useState(USUAL);
  const add = useAdd();
  const told = useTold();
  const place = placeFrom(more.where, null);
  const { query, condition, pinned, type } = more;
  const telling =
    place === null || claim.trim() === ""
      ? null
      : { ...place, claim: claim.trim(), type, query: query.trim(), condition: condition.trim(), pinned };
  const foreseen = useForeseen(telling);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (telling === null) return;
    add.mutate(telling, {
      onSuccess: (kept) => {
        told(kept);
        if (kept.resembles.length > 0) onResembles(kept);
        else onClose();
      },
    });
  };
  const left = LONGEST - claim.length;
  return (
    <form className="memory-form" onSubmit={submit}>
      <Field
        label={words.label}
        hint={left <= NEAR_END ? words.left(left) : words.hint}
        error={(add.error ?? (telling && foreseen.error))?.message}
        required
      >
        {(control) => (
          <TextArea
            {...control}
            className="memory-add-box"
            placeholder={words.placeholder}
            value={claim}
            maxLength={LONGEST}
            onChange={(event) => setClaim(event.target.value)}
          />
        )}
      </Field>
      {telling && foreseen.data && !foreseen.error && <Preview foreseen={foreseen.data} where={more.where} />}
      <details className="memory-more">
        <summary>{words.more}</summary>
        <div className="memory-form">
          <AdvancedFields more={more} onChange={setMore} />
        </div>
      </details>
      <div className="memory-foot">
        <Button onClick={onClose}>{en.ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={add.isPending} disabled={telling === null}>
          {words.confirm}
        </Button>
      </div>
    </form>
  );
}

/** What will be stored, in words, as the server reads them; and what it would replace or stand beside. */
function Preview({ foreseen, where }: { foreseen: Schemas["Foreseen"]; where: Where }) {
  const words = en.memory.adding;
  const projects = useProjectNames();
  const { type, condition, already, replaces, resembles } = foreseen;
  const place = placeWords({ scope: where.scope, project_id: where.projectId, domain: where.domain }, projects);
  if (already)
    return (
      <p className="soft" role="status">
        {words.already}
      </p>
    );
  return (
    <dl className="memory-preview" aria-live="polite">
      <Part label={words.reads}>{en.memory.types[type]}</Part>
      <Part label={words.holds}>{condition ? `${place}, ${condition}` : place}</Part>
      {replaces.length > 0 && <Part label={words.takes}>{replaces.map(claimWords).join("; ")}</Part>}
      {resembles.length > 0 && <Part label={words.alike}>{resembles.map(claimWords).join("; ")}</Part>}
    </dl>
  );
}

function Part({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface AdvancedFieldsProps {
  more: Advanced;
  onChange: (more: Advanced) => void;
}

function AdvancedFields({ more, onChange }: AdvancedFieldsProps) {
  const words = en.memory.adding;
  return (
    <>
      <Field label={en.memory.filters.type}>
        {(control) => (
          <Select
            {...control}
            value={more.type ?? AS_READS}
            options={[
              { value: AS_READS, label: words.asReads },
              ...TOLD.map((value) => ({ value, label: en.memory.types[value] })),
            ]}
            onChoose={(next) => onChange({ ...more, type: next === AS_READS ? null : next })}
          />
        )}
      </Field>
      <PlaceFields label={words.holds} where={more.where} onChange={(where) => onChange({ ...more, where })} />
      <Field label={words.when} hint={words.whenHint} optional>
        {(control) => (
          <TextInput
            {...control}
            value={more.condition}
            maxLength={LONGEST_CONDITION}
            onChange={(event) => onChange({ ...more, condition: event.target.value })}
          />
        )}
      </Field>
      <Field label={words.query} hint={words.queryHint} optional>
        {(control) => (
          <TextInput
            {...control}
            value={more.query}
            maxLength={LONGEST}
            onChange={(event) => onChange({ ...more, query: event.target.value })}
          />
        )}
      </Field>
      <Switch
        label={words.pinnedLabel}
        hint={words.pinnedHint}
        checked={more.pinned}
        onChange={(pinned) => onChange({ ...more, pinned })}
      />
    </>
  );
}

function Resembles({ kept, onDone }: { kept: Kept; onDone: () => void }) {
  const words = en.memory.adding;
  const [left, setLeft] = useState(kept.resembles);
  const settled = (id: string) => {
    const next = left.filter((each) => each.id !== id);
    if (next.length === 0) onDone();
    else setLeft(next);
  };
  return (
    <div className="memory-form">
      <h3>{words.resembles}</h3>
      <p className="soft">{words.resemblesText}</p>
      {left.map((older) => {
        const pair = { newer: kept.correction, older };
        // The older one may win: then what was just told is gone, and with it every other question about it.
        return <Settle key={older.id} pair={pair} onSettled={(both) => (both ? settled(older.id) : onDone())} />;
      })}
      <div className="memory-foot">
        <Button onClick={onDone}>{words.finish}</Button>
      </div>
    </div>
  );
}

/** Says what came of it, with a way back. */
function useTold() {
  const words = en.memory.adding;
  const toast = useToast();
  const undo = useUndo();
  return (kept: Kept) => {
    const replaced = kept.replaced[0];
    announce(kept.already ? words.already : words.done);
    toast({
      text: kept.already ? words.already : words.done,
      ...(replaced ? { detail: words.replaced(claimWords(replaced)) } : {}),
      ...(kept.act_id ? { undo: () => undo(kept.act_id) } : {}),
    });
  };
}
