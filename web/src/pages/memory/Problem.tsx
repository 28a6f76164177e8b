import type { Problem as Told } from "../../streams/events";

/** Why something was not written, and what to do. */
export function Problem({ problem }: { problem: Told }) {
  return (
    <p className="field-error" role="alert">
      {problem.message} {problem.remedy}
    </p>
  );
}
