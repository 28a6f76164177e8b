import { useState } from "react";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { useToast } from "../../ui/Toast";
import { usePin } from "./acts";
import type { Correction, Detail } from "./corrections";
import { EraseDialog } from "./EraseDialog";
import { MoveDialog } from "./MoveDialog";
import { SupersedeDialog } from "./SupersedeDialog";

interface ActsProps {
  correction: Correction;
  origin: Detail["origin"];
  onEdit: () => void;
}

/** What can be done with one remembered thing. What does not hold can only be erased. */
export function Acts({ correction, origin, onEdit }: ActsProps) {
  const words = en.memory.acts;
  const [open, setOpen] = useState<"move" | "supersede" | "erase" | null>(null);
  const close = () => setOpen(null);
  const active = correction.state === "active";
  return (
    <div className="memory-acts" role="group" aria-label={words.bar}>
      {active && (
        <>
          <Button size="s" icon="edit" onClick={onEdit}>
            {words.edit}
          </Button>
          <PinButton correction={correction} />
          <Button size="s" icon="branch" onClick={() => setOpen("move")}>
            {words.move}
          </Button>
          <Button size="s" icon="retry" onClick={() => setOpen("supersede")}>
            {words.supersede}
          </Button>
        </>
      )}
      <Button size="s" kind="quiet" icon="trash" onClick={() => setOpen("erase")}>
        {words.erase}
      </Button>
      {open === "move" && <MoveDialog correction={correction} origin={origin} onClose={close} />}
      {open === "supersede" && <SupersedeDialog correction={correction} onClose={close} />}
      {open === "erase" && <EraseDialog correction={correction} onClose={close} />}
    </div>
  );
}

function PinButton({ correction }: { correction: Correction }) {
  const words = en.memory.acts;
  const toast = useToast();
  const pin = usePin(correction.id);
  const { pinned } = correction;
  const press = () =>
    pin.mutate(!pinned, {
      onSuccess: () => toast({ text: pinned ? words.unpinned : words.pinned, undo: () => pin.mutate(pinned) }),
    });
  return (
    <Button size="s" icon="pin" busy={pin.isPending} onClick={press}>
      {pinned ? words.unpin : words.pin}
    </Button>
  );
}
