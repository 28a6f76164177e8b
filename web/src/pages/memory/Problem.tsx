import type { Problem as Told } from "../../streams/events";
import { shown } from "../../markdown/text";

/** Why something was not written, and what to do. */
export function Problem({ problem }: { problem: Told }) {
  return (
    <p className="field-error" role="alert">
      {shown(problem.message)} {shown(problem.remedy)}
    </p>
  );
}
