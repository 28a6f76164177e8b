import { useSeatNumbers } from "../answer/seats";
import { MemberMark } from "../ui/marks";

/** A member by its mark and its name. */
export function Member({ seat }: { seat: string }) {
  const numberOf = useSeatNumbers();
  return (
    <span className="why-member">
      <MemberMark seat={numberOf(seat)} />
      <span>{seat}</span>
    </span>
  );
}
