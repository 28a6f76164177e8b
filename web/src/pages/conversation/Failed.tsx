import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { shown } from "../../markdown/text";

/** A question to which no answer came: why, what helps, and another try. */
export function Failed({ sentence, remedy, onRetry }: { sentence: string; remedy: string; onRetry: () => void }) {
  return (
    <div className="failed" role="group" aria-label={shown(sentence)}>
      <Icon name="warning" size={18} />
      <div className="failed-words">
        <p>{shown(sentence)}</p>
        {remedy && <p className="soft">{shown(remedy)}</p>}
      </div>
      <Button size="s" icon="retry" onClick={onRetry}>
        {en.answer.failed.retry}
      </Button>
    </div>
  );
}
