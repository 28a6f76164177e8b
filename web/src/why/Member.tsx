import { useSeatNumbers } from "../answer/seats";
import { MemberMark } from "../ui/marks";
import { shown } from "../markdown/text";

/** A member by its mark and its name. */
export function Member({ seat }: { seat: string }) {
  const numberOf = useSeatNumbers();
  return (
    <span className="why-member">
      <MemberMark seat={numberOf(seat)} />
      <span>{shown(seat)}</span>
    </span>
  );
}
