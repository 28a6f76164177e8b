import { en } from "../../strings/en";
import type { Compared } from "./requests";
import { shown } from "../../markdown/text";

/** Members that support no candidate, and why. */
export function Unheard({ members }: { members: Compared["comparison"]["unheard"] }) {
  const words = en.disagreement;
  if (members.length === 0) return null;
  return (
    <p className="soft unheard">
      {words.unheard}
      {": "}
      {members.map(({ seat, why }) => `${shown(seat)} (${words.unheardWhy[why] ?? words.failed})`).join(", ")}
    </p>
  );
}
