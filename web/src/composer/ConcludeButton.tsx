import { useState } from "react";
import { announce } from "../shell/announcer";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Tooltip } from "../ui/Tooltip";
import { useMeant } from "./meant";

/** Ends the waiting: the council answers with what members have said by now. */
export function ConcludeButton({ onConclude }: { onConclude: () => Promise<void> }) {
  const [called, setCalled] = useState(false);
  const press = useMeant(() => {
    if (called) return;
    setCalled(true);
    announce(en.composer.concluded);
    onConclude().catch(() => setCalled(false)); // The failure was told; it can be tried once more.
  });
  return (
    <Tooltip text={en.composer.concludeHint}>
      <Button kind="quiet" onClick={press} aria-disabled={called || undefined} aria-busy={called || undefined}>
        {en.composer.conclude}
      </Button>
    </Tooltip>
  );
}
