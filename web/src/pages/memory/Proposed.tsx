import { useState } from "react";
import { api, data } from "../../api/client";
import { queryClient } from "../../api/queries";
import { reportFailure } from "../../api/failures";
import { useUndo } from "../../memory-bars/steering";
import { Claim } from "../../claim/Claim";
import { claimWords } from "../../claim/words";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { useToast } from "../../ui/Toast";
import { useConfirm } from "./acts";
import { useProposed, type Correction } from "./corrections";
import { dismissals, useDismissed } from "./dismissals";
import { EditForm } from "./EditForm";
import { placeWords, useProjectNames } from "./places";
import { saidWords } from "./provenance";
import { shown } from "../../markdown/text";
import "./pending.css";

/** Milliseconds for which a dismissal can be taken back: as long as its toast stands, and a moment more. */
const GRACE = 14_000;
const SHOWN = 3;

/** What was read from the reader's words, or found by others, and waits for a yes. */
export function Proposed() {
  const words = en.memory.proposed;
  const { data: found } = useProposed();
  const dismissed = useDismissed();
  const [all, setAll] = useState(false);
  const waiting = (found?.items ?? []).map((each) => each.correction).filter((each) => !dismissed.has(each.id));
  if (waiting.length === 0) return null;
  const visible = all ? waiting : waiting.slice(0, SHOWN);
  return (
    <section className="memory-desk" aria-labelledby="proposed">
      <h2 id="proposed">{words.title(waiting.length)}</h2>
      <p className="soft">{words.text}</p>
      <ul className="memory-pending">
        {visible.map((each) => (
          <ProposalCard key={each.id} correction={each} />
        ))}
      </ul>
      {visible.length < waiting.length && (
        <Button className="memory-expand" kind="quiet" size="s" icon="down" onClick={() => setAll(true)}>
          {words.more(waiting.length - visible.length)}
        </Button>
      )}
    </section>
  );
}

function ProposalCard({ correction }: { correction: Correction }) {
  const words = en.memory.proposed;
  const projects = useProjectNames();
  const [editing, setEditing] = useState(false);
  return (
    <li className="memory-pending-one" aria-label={words.label(claimWords(correction))}>
      <p className="memory-claim" dir="auto">
        <Claim said={correction} />
      </p>
      <p className="memory-facts">
        <span>{en.memory.types[correction.type]}</span>
        <span>{shown(placeWords(correction, projects))}</span>
        <span>{saidWords(correction)}</span>
      </p>
      {editing ? (
        <EditAndAccept correction={correction} onClose={() => setEditing(false)} />
      ) : (
        <ProposalActs correction={correction} onEdit={() => setEditing(true)} />
      )}
    </li>
  );
}

/** Accept, change, or dismiss a proposal. */
export function ProposalActs({ correction, onEdit }: { correction: Correction; onEdit: () => void }) {
  const words = en.memory.proposed;
  const toast = useToast();
  const undo = useUndo();
  const confirm = useConfirm();
  const accept = () =>
    confirm.mutate(correction.id, {
      onSuccess: ({ confirmed }) => toast({ text: words.accepted, undo: () => undo(confirmed.kept.act_id) }),
    });
  const dismiss = useDismissing(correction.id);
  return (
    <div className="memory-acts">
      <Button size="s" kind="primary" icon="check" busy={confirm.isPending} onClick={accept}>
        {words.accept}
      </Button>
      <Button size="s" icon="edit" onClick={onEdit}>
        {words.edit}
      </Button>
      <Button size="s" kind="quiet" icon="close" onClick={dismiss}>
        {words.dismiss}
      </Button>
    </div>
  );
}

export function EditAndAccept({ correction, onClose }: { correction: Correction; onClose: () => void }) {
  const toast = useToast();
  const undo = useUndo();
  const confirm = useConfirm();
  const accept = () =>
    confirm.mutate(correction.id, {
      onSuccess: ({ confirmed }) => toast({ text: en.memory.proposed.accepted, undo: () => undo(confirmed.kept.act_id) }),
      onSettled: onClose,
    });
  return <EditForm correction={correction} save={en.memory.proposed.accept} onSaved={accept} onClose={onClose} />;
}

function useDismissing(id: string): () => void {
  const words = en.memory.proposed;
  const toast = useToast();
  return () => {
    dismissals.begin(id, GRACE, () => dismissed(id));
    toast({
      text: words.dismissed,
      undo: () => {
        if (!dismissals.takeBack(id)) toast({ kind: "failed", text: words.late });
      },
    });
  };
}

async function dismissed(id: string): Promise<void> {
  try {
    await data(api.POST("/api/v1/memory/{correction_id}/dismiss", { params: { path: { correction_id: id } } }));
    await queryClient.invalidateQueries({ queryKey: ["memory"] });
  } catch (error) {
    if (error instanceof Error) reportFailure(error);
    throw error;
  }
}
