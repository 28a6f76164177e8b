import { Popover as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import "./overlay.css";
import { shown } from "../markdown/text";

interface PopoverProps {
  trigger: ReactElement;
  /** The name of what opens, for screen readers. */
  label: string;
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

export function Popover({ trigger, label, align = "start", children, ...state }: PopoverProps) {
  return (
    <Radix.Root {...state}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="popover" aria-label={shown(label)} align={align} sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
