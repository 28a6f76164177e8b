import { MemberMark } from "../ui/marks";
import { useSeatNumbers } from "./seats";
import { shown } from "../markdown/text";
import "./members.css";

/** Members of whom there is only a word to say: they wait, or abstained. */
export function MemberLine({ members }: { members: readonly { readonly seat: string; readonly phase: string }[] }) {
  const numberOf = useSeatNumbers();
  if (members.length === 0) return null;
  return (
    <ul className="member-line">
      {members.map(({ seat, phase }) => (
        <li key={seat} className="member-name">
          <MemberMark seat={numberOf(seat)} size={12} />
          {shown(seat)}
          <span className="member-phase">{phase}</span>
        </li>
      ))}
    </ul>
  );
}
