import { en } from "../strings/en";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { MemberMark } from "../ui/marks";
import { useGiveGrade } from "./grading";
import type { CandidateView, Outcome } from "./outcome";
import { useSeatNumbers } from "./seats";
import { shown } from "../markdown/text";
import "./pick.css";

/** Says which candidate is right, or that none is. */
export function PickAnswer({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const { give, busy } = useGiveGrade();
  const question = outcome.queryId;
  const none = () => give({ kind: "none_right", question }, onClose);
  const footer = (
    <Button busy={busy} onClick={none}>
      {en.answer.noneRight}
    </Button>
  );
  return (
    <Dialog open onOpenChange={onClose} title={en.answer.pickTitle} footer={footer}>
      <ul className="candidates">
        {outcome.candidates.map((each) => (
          <li key={each.id}>
            <Pick candidate={each} busy={busy} onPick={() => give({ kind: "pick", question, candidate: each.id }, onClose)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Pick({ candidate, busy, onPick }: { candidate: CandidateView; busy: boolean; onPick: () => void }) {
  const numberOf = useSeatNumbers();
  return (
    <button type="button" className="candidate" disabled={busy} onClick={onPick}>
      <span className="candidate-text" dir="auto">
        {shown(candidate.text)}
      </span>
      <span className="candidate-by">
        {candidate.supporters.map((seat) => (
          <span key={seat} className="member-name">
            <MemberMark seat={numberOf(seat)} />
            {shown(seat)}
          </span>
        ))}
        {candidate.chosen && <Badge tone="accent">{en.answer.pickNow}</Badge>}
      </span>
    </button>
  );
}
