import { useGrade, useUndoGrade } from "../answer/requests";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import type { Question } from "./reasons";

/** Says whether the chosen answer is right; what was said stands here, and can be taken back. */
export function GradeIt({ question }: { question: Question }) {
  const words = en.why.can;
  const grade = useGrade();
  const taken = useUndoGrade();
  const held = question.said.filter((each) => each.state === "holds");
  const say = (right: boolean) => grade.mutate({ kind: "verdict", question: question.query_id, right });
  const busy = grade.isPending || taken.isPending;
  return (
    <div className="why-grade">
      {held.length === 0 && (
        <div className="why-acts">
          <span>{words.grade}</span>
          <Button size="s" icon="check" busy={busy} onClick={() => say(true)}>
            {words.right}
          </Button>
          <Button size="s" icon="close" busy={busy} onClick={() => say(false)}>
            {words.wrong}
          </Button>
        </div>
      )}
      <div role="status" className="why-said">
        {held.map((each) => (
          <p key={each.id} className="why-acts">
            <span>{words.said(each.words)}</span>
            <Button kind="quiet" size="s" icon="undo" busy={busy} onClick={() => taken.mutate(each.id)}>
              {words.undo}
            </Button>
          </p>
        ))}
        {held.length === 0 && taken.isSuccess && <p className="soft">{words.taken}</p>}
      </div>
    </div>
  );
}
