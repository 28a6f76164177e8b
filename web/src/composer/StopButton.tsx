import { useEffect, useRef } from "react";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Kbd } from "../ui/words";

/** Milliseconds in which a press is not meant for this button: it appears where another one was under the pointer. */
const NOT_MEANT = 600;

/** Stops what runs. Escape, which nobody presses by accident in the same place, works from the first moment on. */
export function StopButton({ onStop }: { onStop: () => void }) {
  const since = useRef(Infinity);
  useEffect(() => {
    since.current = performance.now();
  }, []);
  const press = () => {
    if (performance.now() - since.current >= NOT_MEANT) onStop();
  };
  return (
    <Button icon="stop" onClick={press}>
      {en.composer.stop} <Kbd keys={[en.composer.stopKey]} />
    </Button>
  );
}
