import { useLeftOut, useSteering } from "../../memory-bars/steering";
import { Claim } from "../../claim/Claim";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { ErrorState, Skeleton } from "../../ui/states";

/** What is remembered and left out of one conversation, each with the way back in. */
export function LeftOutDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const words = en.bars;
  const { data: found, error, refetch } = useLeftOut(id);
  const { set, busy } = useSteering(id);
  return (
    <Dialog open onOpenChange={onClose} title={words.leftOutTitle} description={words.leftOutHint}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : found === undefined ? (
        <Skeleton lines={2} />
      ) : found.length === 0 ? (
        <p className="soft">{words.leftOutNone}</p>
      ) : (
        <ul className="left-out" aria-label={words.leftOutTitle}>
          {found.map((each) => (
            <li key={each.id}>
              <Claim said={each} />
              <Button size="s" busy={busy} onClick={() => set(each.id, false)}>
                {words.bringBack}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
