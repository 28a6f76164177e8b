import { Tooltip as Radix } from "radix-ui";
import type { ReactElement } from "react";
import "./overlay.css";

/** Names a control for those who see only its icon. Never the only place of something that must be known. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
