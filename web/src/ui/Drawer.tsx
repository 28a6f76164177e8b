import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { en } from "../strings/en";
import { useFocusBack } from "./focus";
import { IconButton } from "./IconButton";
import "./overlay.css";

interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** From the left for navigation, from the right for what explains the page. On phones the right one is a sheet. */
  side?: "left" | "right";
  /** `l` for what is read at length: wider, and on phones as high as the screen. */
  size?: "m" | "l";
  children: ReactNode;
}

export function Drawer({ open, onOpenChange, title, side = "right", size = "m", children }: DrawerProps) {
  const focus = useFocusBack();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className={`drawer drawer-${side} drawer-${size}`} aria-describedby={undefined} {...focus}>
          <header className="dialog-head">
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon="close" label={en.ui.close} tip={false} />
            </Radix.Close>
          </header>
          <div className="drawer-body">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
