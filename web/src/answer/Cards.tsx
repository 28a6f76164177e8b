import type { ReactNode } from "react";
import { en } from "../strings/en";
import type { Remembered } from "../streams/events";
import { Button } from "../ui/Button";
import { Icon, type IconName } from "../ui/icons";
import { useToast } from "../ui/Toast";
import { useCorrectionActs } from "./requests";
import { shown } from "../markdown/text";

/** Something that was just remembered, with what it replaced, and the way back. */
export function RememberedCard({ remembered }: { remembered: Remembered }) {
  const words = en.answer.remembered;
  const { correction, already, replaced, resembles, graded, again } = remembered;
  return (
    <Card
      icon="memory"
      title={already ? words.already : words.title}
      claim={correction.claim}
      acts={already ? null : <UndoButton id={correction.id} />}
    >
      {replaced.map((each) => (
        <p key={each.id}>{words.replaced(shown(each.claim))}</p>
      ))}
      {resembles.map((each) => (
        <p key={each.id}>{words.resembles(shown(each.claim))}</p>
      ))}
      {graded && <p>{words.graded(shown(graded))}</p>}
      {again && <p>{words.again}</p>}
    </Card>
  );
}

/** Something that may be meant to be remembered: it waits for a yes. */
export function ProposedCard({ id, claim, corrects }: { id: string; claim: string; corrects: boolean }) {
  const words = en.answer.proposed;
  const toast = useToast();
  const { confirm, dismiss } = useCorrectionActs(id);
  const busy = confirm.isPending || dismiss.isPending;
  if (confirm.isSuccess) return <Card icon="memory" title={en.answer.remembered.title} claim={claim} acts={<UndoButton id={id} />} />;
  if (dismiss.isSuccess) return null;
  const accept = (again: boolean) => confirm.mutate(again);
  const no = () => dismiss.mutate(undefined, { onSuccess: () => toast({ text: words.dismissed }) });
  const acts = (
    <>
      <Button size="s" kind="primary" busy={busy} onClick={() => accept(corrects)}>
        {corrects ? words.acceptAgain : words.accept}
      </Button>
      <Button size="s" kind="quiet" busy={busy} onClick={no}>
        {words.dismiss}
      </Button>
    </>
  );
  return <Card icon="doubt" title={words.title} claim={claim} acts={acts} />;
}

/** What a stored message says of memory: what it told, as it stands now. */
export function NotedCard({ id, claim, state, fresh }: { id: string; claim: string; state: string; fresh: Remembered | undefined }) {
  if (fresh && state === "active") return <RememberedCard remembered={fresh} />;
  if (state === "proposed") return <ProposedCard id={id} claim={claim} corrects={false} />;
  const title = state === "active" ? en.answer.remembered.title : en.answer.superseded;
  return <Card icon="memory" title={title} claim={claim} acts={null} />;
}

function UndoButton({ id }: { id: string }) {
  const toast = useToast();
  const { undo } = useCorrectionActs(id);
  const words = en.answer.remembered;
  if (undo.isSuccess) return <span className="soft">{words.undone}</span>;
  // Another change may have come since: what was taken back is said by its words.
  const take = () => undo.mutate(undefined, { onSuccess: ({ correction }) => toast({ text: words.undoneWhat(correction.claim) }) });
  return (
    <Button size="s" icon="undo" busy={undo.isPending} onClick={take}>
      {words.undo}
    </Button>
  );
}

interface CardProps {
  icon: IconName;
  title: string;
  claim: string;
  acts: ReactNode;
  children?: ReactNode;
}

function Card({ icon, title, claim, acts, children }: CardProps) {
  return (
    <aside className="memory-card" aria-label={title}>
      <Icon name={icon} size={18} />
      <div className="memory-card-words">
        <p className="memory-card-title">{title}</p>
        <p className="memory-card-claim" dir="auto">
          {shown(claim)}
        </p>
        {children}
      </div>
      {acts && <div className="memory-card-acts">{acts}</div>}
    </aside>
  );
}
