import { Toast as Radix } from "radix-ui";
import { createContext, type ReactNode, use, useCallback, useRef, useState } from "react";
import { shown } from "../markdown/text";
import { en } from "../strings/en";
import { Button } from "./Button";
import { IconButton } from "./IconButton";
import { Icon } from "./icons";
import "./overlay.css";

export interface ToastMessage {
  text: string;
  /** What to do next, below the text. */
  detail?: string;
  kind?: "done" | "failed";
  /** Takes back what was just done. */
  undo?: () => void;
}

type Shown = ToastMessage & { readonly id: number };
type Toast = (message: ToastMessage) => void;

/** Milliseconds in sight: long enough to read, and longer where there is something to press or to do. */
const SHORT = 5_000;
const LONG = 12_000;
/** Toasts in sight at a time; the oldest goes first. */
const AT_ONCE = 2;

const ToastContext = createContext<Toast | null>(null);

/** Says that something was done, or was not: `toast({ text, undo })`. Throws outside of ToastProvider. */
export function useToast(): Toast {
  const toast = use(ToastContext);
  if (toast === null) throw new Error("Toasts are used outside of their provider.");
  return toast;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [cards, setCards] = useState<readonly Shown[]>([]);
  const next = useRef(0);
  const toast = useCallback<Toast>((message) => {
    next.current += 1;
    const id = next.current;
    setCards((before) => [...before, { ...message, id }].slice(-AT_ONCE));
  }, []);
  const remove = (id: number) => setCards((before) => before.filter((each) => each.id !== id));
  return (
    <ToastContext value={toast}>
      <Radix.Provider label={en.ui.notification} swipeDirection="up">
        {children}
        {cards.map((message) => (
          <ToastCard key={message.id} message={message} onGone={() => remove(message.id)} />
        ))}
        <Radix.Viewport className="toasts" label={en.ui.notifications("{hotkey}")} />
      </Radix.Provider>
    </ToastContext>
  );
}

function ToastCard({ message, onGone }: { message: ToastMessage; onGone: () => void }) {
  const { text, detail, kind = "done", undo } = message;
  return (
    <Radix.Root
      className={`toast toast-${kind}`}
      type={kind === "failed" ? "foreground" : "background"}
      duration={undo || detail ? LONG : SHORT}
      onOpenChange={(open) => {
        if (!open) onGone();
      }}
    >
      <Icon name={kind === "failed" ? "warning" : "check"} />
      <div className="toast-words">
        <Radix.Title>{shown(text)}</Radix.Title>
        {detail && <Radix.Description className="soft">{shown(detail)}</Radix.Description>}
      </div>
      {undo && (
        <Radix.Action asChild altText={en.ui.undo}>
          <Button size="s" icon="undo" onClick={undo}>
            {en.ui.undo}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton size="s" icon="close" label={en.ui.dismiss} tip={false} />
      </Radix.Close>
    </Radix.Root>
  );
}
