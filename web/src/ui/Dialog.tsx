import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { en } from "../strings/en";
import { useFocusBack } from "./focus";
import { IconButton } from "./IconButton";
import "./overlay.css";
import { shown } from "../markdown/text";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  /** Buttons, the one that does it last. */
  footer?: ReactNode;
  children?: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, footer, children }: DialogProps) {
  const focus = useFocusBack();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className="dialog" {...(description ? {} : { "aria-describedby": undefined })} {...focus}>
          <header className="dialog-head">
            <Radix.Title className="dialog-title">{shown(title)}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon="close" label={en.ui.close} tip={false} />
            </Radix.Close>
          </header>
          {description && <Radix.Description className="dialog-description">{shown(description)}</Radix.Description>}
          <div className="dialog-body">{children}</div>
          {footer && <footer className="dialog-foot">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
