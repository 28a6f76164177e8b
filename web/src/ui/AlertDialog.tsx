import { AlertDialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { en } from "../strings/en";
import { Button } from "./Button";
import { useFocusBack } from "./focus";
import "./overlay.css";
import { shown } from "../markdown/text";

interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will be so afterwards, and what cannot be taken back. */
  description: string;
  /** The verb of the button that does it. */
  confirm: string;
  danger?: boolean;
  busy?: boolean;
  /** False while what must be typed or chosen first is not there. */
  ready?: boolean;
  /** The dialog stays open until the caller closes it, so that what fails can be said here. */
  onConfirm: () => void;
  children?: ReactNode;
}

/** Asks before something that cannot be undone. Focus begins on "Cancel". */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onOpenChange, title, description, confirm, danger = false, busy = false, ready = true, onConfirm, children } = props;
  const focus = useFocusBack();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className="dialog" {...focus}>
          <header className="dialog-head">
            <Radix.Title className="dialog-title">{shown(title)}</Radix.Title>
          </header>
          <Radix.Description className="dialog-description">{shown(description)}</Radix.Description>
          {children && <div className="dialog-body">{children}</div>}
          <footer className="dialog-foot">
            <Radix.Cancel asChild>
              <Button>{en.ui.cancel}</Button>
            </Radix.Cancel>
            <Button kind={danger ? "danger" : "primary"} busy={busy} disabled={!ready} onClick={onConfirm}>
              {confirm}
            </Button>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
