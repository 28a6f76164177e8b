import { Link } from "@tanstack/react-router";
import { en } from "../../strings/en";
import { RelativeTime } from "../../ui/words";
import type { Correction, Detail } from "./corrections";
import { useTitle } from "./places";
import { shown } from "../../markdown/text";

/** Whose words they are, and since when. */
export function saidWords({ provenance, created_at }: Correction): string {
  return en.memory.provenance[provenance](new Date(created_at));
}

/** The same, with the conversation in which it was said. */
export function Said({ correction, origin }: { correction: Correction; origin: Detail["origin"] }) {
  const title = useTitle(origin?.conversation_id ?? null);
  return (
    <>
      {saidWords(correction)}
      {origin && title && (
        <>
          , {en.memory.inConversation}{" "}
          <Link to="/c/$id" params={{ id: origin.conversation_id }} search={{ message: origin.message_id }}>
            {shown(title)}
          </Link>
        </>
      )}
    </>
  );
}

/** How often it entered a prompt, and when last. */
export function Use({ correction, times }: { correction: Correction; times: number }) {
  return (
    <span className="tabular">
      {en.memory.used(times)}
      {correction.last_used_at && times > 0 && (
        <>
          , {en.memory.lastUsed} <RelativeTime at={correction.last_used_at} />
        </>
      )}
    </span>
  );
}
