import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";

/** A question to which no answer came: why, what helps, and another try. */
export function Failed({ sentence, remedy, onRetry }: { sentence: string; remedy: string; onRetry: () => void }) {
  return (
    <div className="failed" role="group" aria-label={sentence}>
      <Icon name="warning" size={18} />
      <div className="failed-words">
        <p>{sentence}</p>
        {remedy && <p className="soft">{remedy}</p>}
      </div>
      <Button size="s" icon="retry" onClick={onRetry}>
        {en.answer.failed.retry}
      </Button>
    </div>
  );
}
