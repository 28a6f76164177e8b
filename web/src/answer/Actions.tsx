import type { ReactNode } from "react";
import { announce } from "../shell/announcer";
import { en } from "../strings/en";
import type { AccuracyLevel } from "../streams/events";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { Menu, type MenuItem } from "../ui/Menu";
import { useToast } from "../ui/Toast";
import { useWhy } from "../why/address";
import { useAnswerDialog } from "./AnswerDialogs";
import { saveText } from "./files";
import type { Outcome } from "./outcome";
import { useProof } from "./requests";
import { shown } from "../markdown/text";

export interface AnswerActs {
  /** Asks the question once more; absent where it was asked in another conversation. */
  readonly onRetry?: ((wish: { level?: AccuracyLevel; members?: readonly string[] }) => void) | undefined;
  /** Begins to reword the question; absent where its message is not known. */
  readonly onEdit?: (() => void) | undefined;
  readonly onBranch?: (() => void) | undefined;
  /** Says something in the conversation. */
  readonly onSay: (text: string, level: AccuracyLevel | null) => void;
}

interface ActionsProps {
  text: string;
  queryId: string | null;
  /** Null until it is loaded; what needs it waits. */
  outcome: Outcome | null;
  level: AccuracyLevel | null;
  acts: AnswerActs;
}

const LEVELS: readonly AccuracyLevel[] = ["fast", "balanced", "high", "maximum"];

/** What can be done with an answer. */
export function Actions({ text, queryId, outcome, level, acts }: ActionsProps) {
  const words = en.answer.actions;
  const { open } = useWhy();
  const copy = useCopy();
  const ask = useAnswerDialog();
  return (
    <div className="actions" role="group" aria-label={words.bar}>
      {queryId && (
        <Button kind="quiet" size="s" icon="info" onClick={() => open(queryId)}>
          {words.why}
        </Button>
      )}
      <IconButton size="s" icon="copy" label={words.copy} onClick={() => copy(shown(text))} />
      {queryId && acts.onRetry && (
        <Menu align="start" trigger={<IconButton size="s" icon="retry" label={words.retry} />} groups={retries(level, outcome, acts.onRetry)} />
      )}
      {acts.onEdit && <IconButton size="s" icon="edit" label={words.edit} onClick={acts.onEdit} />}
      {acts.onBranch && <IconButton size="s" icon="branch" label={words.branch} onClick={acts.onBranch} />}
      {queryId && (
        <Button kind="quiet" size="s" onClick={() => ask({ kind: "wrong", queryId, onSay: (said) => acts.onSay(said, level) })}>
          {words.wrong}
        </Button>
      )}
      {outcome && outcome.candidates.length > 1 && (
        <Button kind="quiet" size="s" onClick={() => ask({ kind: "pick", outcome })}>
          {words.pick}
        </Button>
      )}
      {outcome?.receipt && <ProveButton seq={outcome.receipt.seq} />}
    </div>
  );
}

function retries(level: AccuracyLevel | null, outcome: Outcome | null, onRetry: NonNullable<AnswerActs["onRetry"]>): MenuItem[][] {
  const words = en.answer.actions;
  const same = level ? { level } : {};
  const again: MenuItem = { label: words.sameLevel, icon: "retry", onSelect: () => onRetry(same) };
  const levels = LEVELS.filter((each) => each !== level).map((each): MenuItem => ({
    label: words.retryAt(en.composer.levels[each]),
    onSelect: () => onRetry({ level: each }),
  }));
  const seats = (outcome?.members ?? []).filter((each) => each.state !== "abstained");
  const members = seats.map(({ seat }): MenuItem => ({ label: words.retryWith(seat), onSelect: () => onRetry({ ...same, members: [seat] }) }));
  return [[again, ...levels], ...(members.length > 1 ? [members] : [])];
}

function ProveButton({ seq }: { seq: number }): ReactNode {
  const words = en.answer;
  const toast = useToast();
  const proof = useProof();
  const prove = () =>
    proof.mutate(seq, {
      onSuccess: ({ filename, text }) => {
        saveText(filename, text, "text/plain");
        toast({ text: words.proofSaved(filename), detail: words.proofDetail });
      },
    });
  return (
    <Button kind="quiet" size="s" icon="shield" busy={proof.isPending} onClick={prove}>
      {words.actions.prove}
    </Button>
  );
}

/** Copies text and says so, or says that it was not allowed. */
export function useCopy(): (text: string, done?: string) => void {
  const toast = useToast();
  const words = en.answer.actions;
  return (text, done = words.copied) => {
    navigator.clipboard.writeText(text).then(
      () => {
        announce(done);
        toast({ text: done });
      },
      () => toast({ text: words.notCopied, kind: "failed" }),
    );
  };
}
