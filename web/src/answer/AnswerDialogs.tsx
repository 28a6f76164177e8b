import { createContext, type ReactNode, use, useState } from "react";
import type { Outcome } from "./outcome";
import { PickAnswer } from "./PickAnswer";
import { WrongForm } from "./WrongForm";

/** What is said about an answer in a dialog. */
export type Asking =
  | { readonly kind: "pick"; readonly outcome: Outcome }
  | { readonly kind: "wrong"; readonly queryId: string; readonly onSay: (text: string) => void };

const Open = createContext<(asking: Asking) => void>(() => undefined);

/** Opens a dialog about an answer. */
export function useAnswerDialog(): (asking: Asking) => void {
  return use(Open);
}

/**
 * Holds the dialogs about answers, above the rows: a row is another one once its answer is final, or scrolled out of
 * sight, and what is being written must outlive it.
 */
export function AnswerDialogs({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  return (
    <Open value={setAsking}>
      {children}
      {asking?.kind === "pick" && <PickAnswer outcome={asking.outcome} onClose={close} />}
      {asking?.kind === "wrong" && <WrongForm queryId={asking.queryId} onSay={asking.onSay} onClose={close} />}
    </Open>
  );
}
