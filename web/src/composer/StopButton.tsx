import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Kbd } from "../ui/words";
import { useMeant } from "./meant";

/** Stops what runs. Escape, which nobody presses by accident in the same place, works from the first moment on. */
export function StopButton({ onStop }: { onStop: () => void }) {
  const press = useMeant(onStop);
  return (
    <Button icon="stop" onClick={press}>
      {en.composer.stop} <Kbd keys={[en.composer.stopKey]} />
    </Button>
  );
}
