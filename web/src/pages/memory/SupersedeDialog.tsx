import { useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { useUndo } from "../../memory-bars/steering";
import { Claim } from "../../claim/Claim";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Field } from "../../ui/Field";
import { TextArea } from "../../ui/TextArea";
import { useToast } from "../../ui/Toast";
import { useAdd, useReplace } from "./acts";
import { type Correction, LONGEST } from "./corrections";
import { TOLD } from "./told";
import "./forms.css";

/** Says what holds instead; the old words stay in the history. */
export function SupersedeDialog({ correction, onClose }: { correction: Correction; onClose: () => void }) {
  const words = en.memory.supersede;
  const [claim, setClaim] = useState("");
  const supersede = useSuperseding(correction, onClose);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void supersede.run(claim.trim());
  };
  return (
    <Dialog open onOpenChange={onClose} title={words.title} description={words.text}>
      <form className="memory-form" onSubmit={submit}>
        <p className="memory-old">
          <Claim said={correction} gone />
        </p>
        <Field label={words.label} error={supersede.error?.message} required>
          {(control) => (
            <TextArea {...control} value={claim} maxLength={LONGEST} onChange={(event) => setClaim(event.target.value)} />
          )}
        </Field>
        <div className="memory-foot">
          <Button onClick={onClose}>{en.ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={supersede.busy} disabled={claim.trim() === ""}>
            {words.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Stores the new words in the same place, and lets them take the place of the old where they have not done so already. */
function useSuperseding(older: Correction, onClose: () => void) {
  const toast = useToast();
  const undo = useUndo();
  const navigate = useNavigate();
  const add = useAdd();
  const replace = useReplace();
  const run = async (claim: string) => {
    try {
      const kept = await add.mutateAsync({
        claim,
        type: TOLD.find((each) => each === older.type) ?? null,
        scope: older.scope,
        project_id: older.project_id ?? null,
        conversation_id: older.conversation_id ?? null,
        domain: older.domain ?? null,
        query: older.canonical_query,
        condition: older.condition,
        pinned: older.pinned,
      });
      const done = kept.replaced.some((each) => each.id === older.id);
      const replaced = done ? null : await replace.mutateAsync({ winner: kept.correction.id, loser: older.id });
      onClose();
      // The latest first: what came of one deed is taken back as it came.
      const acts = [replaced?.act_id ?? "", kept.act_id].filter((act) => act !== "");
      toast({ text: en.memory.acts.superseded, ...(acts.length > 0 ? { undo: () => undo(...acts) } : {}) });
      await navigate({ to: "/memory/$id", params: { id: kept.correction.id } });
    } catch {
      // The form says what went wrong, or the frame does.
    }
  };
  return { run, busy: add.isPending || replace.isPending, error: add.error };
}
