import { Tooltip as Radix } from "radix-ui";
import type { ReactElement } from "react";
import "./overlay.css";

/** On which side of its control it opens, where there is room. */
export type Side = "top" | "bottom";

/** Names a control for those who see only its icon. Never the only place of something that must be known. */
export function Tooltip({ text, side = "top", children }: { text: string; side?: Side; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
