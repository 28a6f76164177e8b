import { type SubmitEvent, useState } from "react";
import { useUndo } from "../../memory-bars/steering";
import { claimWords } from "../../claim/words";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { useToast } from "../../ui/Toast";
import { useMove } from "./acts";
import type { Correction, Detail } from "./corrections";
import { placeFrom, PlaceFields, type Where } from "./PlaceFields";
import "./forms.css";

interface MoveDialogProps {
  correction: Correction;
  origin: Detail["origin"];
  onClose: () => void;
}

function whereOf(correction: Correction): Where {
  return { scope: correction.scope, projectId: correction.project_id ?? "", domain: correction.domain ?? "" };
}

/** Says where something holds. */
export function MoveDialog({ correction, origin, onClose }: MoveDialogProps) {
  const words = en.memory.move;
  const toast = useToast();
  const undo = useUndo();
  const before = whereOf(correction);
  const here = correction.conversation_id ?? origin?.conversation_id ?? null;
  const [where, setWhere] = useState(before);
  const move = useMove(correction.id);
  const place = placeFrom(where, here);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (place === null) return;
    move.mutate(place, {
      onSuccess: ({ act_id: act }) => {
        onClose();
        toast({ text: en.memory.acts.moved, ...(act ? { undo: () => undo(act) } : {}) });
      },
    });
  };
  return (
    <Dialog open onOpenChange={onClose} title={words.title} description={claimWords(correction)}>
      <form className="memory-form" onSubmit={submit}>
        <PlaceFields label={words.label} where={where} onChange={setWhere} conversationId={here} />
        {move.error && (
          <p className="field-error" role="alert">
            {move.error.message}
          </p>
        )}
        <div className="memory-foot">
          <Button onClick={onClose}>{en.ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={move.isPending} disabled={place === null}>
            {words.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
