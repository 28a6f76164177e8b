import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { useLeftOut, useSteering } from "./steering";

interface NotHereProps {
  id: string;
  conversation: string;
  kind?: "quiet";
}

/** Leaves something that is remembered out of one conversation, or lets it in again; elsewhere it stays as it is. */
export function NotHere({ id, conversation, kind }: NotHereProps) {
  const { data: leftOut } = useLeftOut(conversation);
  const { set, busy } = useSteering(conversation);
  const out = leftOut?.some((each) => each.id === id) ?? false;
  return (
    <Button size="s" {...(kind ? { kind } : {})} icon={out ? "retry" : "close"} busy={busy} onClick={() => set(id, !out)}>
      {out ? en.bars.bringBack : en.bars.notHere}
    </Button>
  );
}
