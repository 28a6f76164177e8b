import type { ReactNode } from "react";
import type { Schemas } from "../api/client";
import { Claim } from "../claim/Claim";
import { claimWords, type Said } from "../claim/words";
import { useLastLevel } from "../composer/choices";
import { en } from "../strings/en";
import type { Remembered } from "../streams/events";
import { Button } from "../ui/Button";
import { Icon, type IconName } from "../ui/icons";
import { useToast } from "../ui/Toast";
import { useCorrectionActs } from "./requests";
import { shown } from "../markdown/text";
import "./memories.css";

/** Something that was just remembered, with what it replaced, and the way back. */
export function RememberedCard({ remembered }: { remembered: Remembered }) {
  const words = en.answer.remembered;
  const { correction, already, replaced, resembles, graded, again, act_id: act } = remembered;
  return (
    <Card
      icon="memory"
      title={already ? words.already : words.title}
      said={correction}
      acts={already ? null : <UndoButton id={correction.id} act={act} />}
    >
      {replaced.map((each) => (
        <p key={each.id}>{words.replaced(claimWords(each))}</p>
      ))}
      {resembles.map((each) => (
        <p key={each.id}>{words.resembles(claimWords(each))}</p>
      ))}
      {graded && <p>{words.graded(shown(graded))}</p>}
      {again && <p>{words.again}</p>}
    </Card>
  );
}

/** Something that may be meant to be remembered: it waits for a yes. */
export function ProposedCard({ said, corrects }: { said: Said & { readonly id: string }; corrects: boolean }) {
  const { id } = said;
  const words = en.answer.proposed;
  const toast = useToast();
  const level = useLastLevel();
  const { confirm, dismiss } = useCorrectionActs(id);
  const busy = confirm.isPending || dismiss.isPending;
  if (confirm.data) {
    const taken = <UndoButton id={id} act={confirm.data.confirmed.kept.act_id} />;
    return <Card icon="memory" title={en.answer.remembered.title} said={said} acts={taken} />;
  }
  if (dismiss.isSuccess) return null;
  const accept = (again: boolean) => confirm.mutate({ again, level });
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
  return <Card icon="doubt" title={words.title} said={said} acts={acts} />;
}

/** What a stored message says of memory: what it told, as it stands now. */
export function NotedCard({ said, fresh }: { said: Schemas["Noted"]; fresh: Remembered | undefined }) {
  const { state } = said;
  if (fresh && state === "active") return <RememberedCard remembered={fresh} />;
  if (state === "proposed") return <ProposedCard said={said} corrects={false} />;
  const title = state === "active" ? en.answer.remembered.title : en.answer.superseded;
  return <Card icon="memory" title={title} said={said} acts={null} />;
}

function UndoButton({ id, act }: { id: string; act: string }) {
  const toast = useToast();
  const { takeBack } = useCorrectionActs(id);
  const words = en.answer.remembered;
  if (takeBack.isSuccess) return <span className="soft">{words.undone}</span>;
  const take = () => takeBack.mutate(act, { onSuccess: ({ correction }) => toast({ text: words.undoneWhat(claimWords(correction)) }) });
  return (
    <Button size="s" icon="undo" busy={takeBack.isPending} onClick={take}>
      {words.undo}
    </Button>
  );
}

interface CardProps {
  icon: IconName;
  title: string;
  said: Said;
  acts: ReactNode;
  children?: ReactNode;
}

function Card({ icon, title, said, acts, children }: CardProps) {
  return (
    <aside className="memory-card" aria-label={title}>
      <Icon name={icon} size={18} />
      <div className="memory-card-words">
        <p className="memory-card-title">{title}</p>
        <p className="memory-card-claim" dir="auto">
          <Claim said={said} />
        </p>
        {children}
      </div>
      {acts && <div className="memory-card-acts">{acts}</div>}
    </aside>
  );
}
