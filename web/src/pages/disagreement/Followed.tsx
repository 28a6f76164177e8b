import { Icon } from "../../ui/icons";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import type { Question } from "../../why/reasons";
import type { FieldRecord } from "./rates";
import { shown } from "../../markdown/text";

interface FollowedProps {
  said: Question["said"];
  /** Seats whose answers have a grade. */
  graded: readonly string[];
  record: FieldRecord | null;
  busy: boolean;
  onUndo: (id: string) => void;
}

/** What the person said of this question, what followed from it, and the way back. */
export function Followed({ said, graded, record, busy, onUndo }: FollowedProps) {
  const words = en.disagreement;
  const held = said.filter((each) => each.state === "holds");
  if (held.length === 0) return null;
  const stands = record ? graded.flatMap((seat) => standing(seat, record)).join(", ") : "";
  return (
    <div className="followed">
      {held.map((each) => (
        <p key={each.id} className="followed-said">
          <Icon name="check" size={18} />
          <span>{words.followed(shown(each.words))}</span>
          <Button size="s" icon="undo" busy={busy} onClick={() => onUndo(each.id)}>
            {words.undo}
          </Button>
        </p>
      ))}
      <p className="soft tabular">
        {graded.length > 0 ? words.grades(graded.length) : words.gradesNone}{" "}
        {record && stands && words.now(record.field, shown(stands))}
      </p>
    </div>
  );
}

function standing(seat: string, { of }: FieldRecord): readonly string[] {
  const rate = of(seat);
  return rate ? [en.disagreement.nowOf(seat, rate.right, rate.graded)] : [];
}
