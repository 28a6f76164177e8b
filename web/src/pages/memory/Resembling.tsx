import { useUndo } from "../../memory-bars/steering";
import { Claim } from "../../claim/Claim";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { useToast } from "../../ui/Toast";
import { useReplace } from "./acts";
import { type Correction, useResembling } from "./corrections";

/** What else holds in the same place and may be meant to go. */
export function Resembling({ correction }: { correction: Correction }) {
  const words = en.memory.detail;
  const toast = useToast();
  const undo = useUndo();
  const { data: found } = useResembling(correction.id, correction.state === "active");
  const replace = useReplace();
  if (!found || found.length === 0) return null;
  const settle = (loser: string) =>
    replace.mutate(
      { winner: correction.id, loser },
      { onSuccess: ({ act_id: act }) => toast({ text: en.memory.acts.superseded, undo: () => undo(act) }) },
    );
  return (
    <section className="memory-part" aria-labelledby="resembling">
      <h3 id="resembling">{words.resembles}</h3>
      <ul className="memory-lines">
        {found.map((each) => (
          <li key={each.id} className="memory-line">
            <Claim said={each} />
            <Button size="s" busy={replace.isPending} onClick={() => settle(each.id)}>
              {words.replaceThat}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
