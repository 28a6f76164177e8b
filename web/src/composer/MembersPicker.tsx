import { Link } from "@tanstack/react-router";
import { useCouncil, useSeatNumbers, type CouncilMember } from "../answer/seats";
import { en } from "../strings/en";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { MemberMark } from "../ui/marks";
import { Popover } from "../ui/Popover";
import { Skeleton } from "../ui/states";
import { shown } from "../markdown/text";

interface MembersPickerProps {
  /** Seats that are asked; none means all. */
  chosen: readonly string[];
  onChoose: (seats: readonly string[]) => void;
}

/** Who is asked, and where each of them runs. */
export function MembersPicker({ chosen, onChoose }: MembersPickerProps) {
  const words = en.composer.members;
  const council = useCouncil();
  const numberOf = useSeatNumbers();
  const members = council.data ?? [];
  const asked = chosen.filter((seat) => members.some((each) => each.seat === seat));
  const toggle = (seat: string, on: boolean) => onChoose(on ? [...asked, seat] : asked.filter((each) => each !== seat));
  const away = members.some((each) => !each.local && (asked.length === 0 || asked.includes(each.seat)));
  return (
    <Popover
      label={words.title}
      trigger={
        <button type="button" className="button button-quiet button-s members-button" aria-label={council.data ? undefined : words.title}>
          <span className="members-marks">
            {members.slice(0, 5).map((each) => (
              <MemberMark key={each.seat} seat={numberOf(each.seat)} size={12} />
            ))}
          </span>
          <span className="button-label tabular">
            {council.data && words.button(asked.length || members.length, members.length)}
          </span>
          {away && <Icon name="warning" size={14} />}
          {away && <span className="visually-hidden">{words.away}</span>}
        </button>
      }
    >
      <fieldset className="members">
        <legend>{words.title}</legend>
        {council.isPending && <Skeleton lines={3} />}
        {council.isError && (
          <>
            <p>{words.failed}</p>
            <Button size="s" icon="retry" onClick={() => void council.refetch()}>
              {en.ui.retry}
            </Button>
          </>
        )}
        {council.isSuccess && members.length === 0 && <p className="soft">{words.none}</p>}
        {members.map((each) => (
          <MemberChoice
            key={each.seat}
            member={each}
            number={numberOf(each.seat)}
            checked={asked.includes(each.seat)}
            onCheck={(on) => toggle(each.seat, on)}
          />
        ))}
        <p className="soft members-hint">{words.hint}</p>
        <div className="members-foot">
          {asked.length > 0 && (
            <Button size="s" onClick={() => onChoose([])}>
              {words.all}
            </Button>
          )}
          <Link className="button button-quiet button-s" to="/settings/$section" params={{ section: "models" }}>
            {words.add}
          </Link>
        </div>
      </fieldset>
    </Popover>
  );
}

interface MemberChoiceProps {
  member: CouncilMember;
  number: number | null;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}

function MemberChoice({ member, number, checked, onCheck }: MemberChoiceProps) {
  const words = en.composer.members;
  return (
    <label className="member-choice">
      <input type="checkbox" checked={checked} onChange={(event) => onCheck(event.target.checked)} />
      <MemberMark seat={number} />
      <span className="member-choice-name">
        {shown(member.seat)}
        {member.model !== member.seat && <span className="soft"> {shown(member.model)}</span>}
        {!member.votes && <span className="member-choice-note">{words.silent}</span>}
      </span>
      {member.local ? <Badge>{words.local}</Badge> : <Badge tone="doubt" icon="warning">{words.away}</Badge>}
    </label>
  );
}
