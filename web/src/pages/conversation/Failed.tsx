import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { shown } from "../../markdown/text";
import { FetchModels } from "../settings/models/FetchModels";

interface FailedProps {
  sentence: string;
  remedy: string;
  /** The code of what went wrong; empty where it is not known. */
  code?: string;
  onRetry: () => void;
}

/** The question itself was wrong: however often it is asked, it is refused. */
const NEVER = new Set(["usage", "invalid"]);

/** A question to which no answer came: why, what helps, and another try where that can succeed. */
export function Failed({ sentence, remedy, code = "", onRetry }: FailedProps) {
  return (
    <div className="failed" role="group" aria-label={shown(sentence)}>
      <Icon name="warning" size={18} />
      <div className="failed-words">
        <p>{shown(sentence)}</p>
        {remedy && <p className="soft">{shown(remedy)}</p>}
      </div>
      {code === "no_model" && <FetchModels size="s" />}
      {!NEVER.has(code) && (
        <Button size="s" icon="retry" onClick={onRetry}>
          {en.answer.failed.retry}
        </Button>
      )}
    </div>
  );
}
