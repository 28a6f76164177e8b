import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { decimal, duration, money, percent } from "../../../strings/numbers";
import { Badge } from "../../../ui/Badge";
import { VerdictMark } from "../../../ui/marks";
import { nameOf } from "../domains/acts";
import { fixed } from "../numbers";
import { Figures, MemberName, Part } from "../parts";
import { shown } from "../../../markdown/text";
import "./routing.css";

type Routed = Schemas["Routed"];
type Wave = Schemas["RoutedWave"];
type Decision = Schemas["Decision"];

const words = en.hood.routing;
const rules = en.hood.record.rules;

/** How a question would go: what it takes, who is asked in which order, and what would be chosen. */
export function Result({ routed }: { routed: Routed }) {
  const { expected, domains, waves, decision, missing, threshold } = routed;
  const about = Object.entries(domains)
    .toSorted(([, a], [, b]) => b - a)
    .map(([id, share]) => words.share(nameOf(id), share));
  const seconds = expected.seconds ?? null;
  return (
    <Part title={words.result} intro={`${words.about(about.join(", ") || en.ui.none)}; ${words.shapeIs[routed.shape] ?? routed.shape}.`}>
      <Figures
        figures={[
          { label: words.calls, value: decimal(expected.calls) },
          { label: words.cost, value: money(expected.cost_micros) },
          { label: words.time, value: seconds === null ? words.timeUnknown : duration(seconds) },
          { label: words.rule, value: rules[routed.policy] ?? routed.policy },
        ]}
      />
      <ol className="hood-waves">
        {waves.map((wave, at) => (
          <li key={wave.members.map((each) => each.seat).join(" ")}>
            <WaveRow wave={wave} number={at + 1} />
          </li>
        ))}
      </ol>
      {waves.length > 1 && <p className="soft">{threshold === null ? words.noThreshold : words.threshold(threshold)}</p>}
      {missing.length > 0 && decision && <p className="soft">{words.missingSeats(missing.join(", "))}</p>}
      {decision && <Chosen decision={decision} />}
    </Part>
  );
}

function WaveRow({ wave, number }: { wave: Wave; number: number }) {
  return (
    <div className={wave.asked ? "hood-wave" : "hood-wave hood-wave-not-reached"}>
      <p className="hood-gate-label">
        {words.wave(number, wave.members.length)}
        {!wave.asked && ` · ${words.notReached}`}
      </p>
      <ul className="hood-plain-list">
        {wave.members.map((member) => (
          <li key={member.seat} className="hood-line">
            <MemberName seat={member.seat} />
            <span className="hood-faint tabular">
              {words.rate(member.rate)} · {member.votes && member.weight !== null ? words.weight(fixed(member.weight)) : words.noVote} ·{" "}
              {member.local ? words.local : words.away}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function scoreOf({ p, score }: Decision["candidates"][number]): string {
  return typeof p === "number" ? percent(p) : score.toFixed(2);
}

function Chosen({ decision }: { decision: Decision }) {
  const { candidates, chosen, confidence } = decision;
  return (
    <Part title={words.decision} intro={decision.reason}>
      {chosen === null && <p>{words.nothing}</p>}
      <ul className="hood-plain-list">
        {candidates.map((each) => (
          <li key={each.id} className="hood-candidate">
            <span className="hood-candidate-mark">{each.id === chosen && <VerdictMark verdict="agree" />}</span>
            <div>
              <p className="reading hood-candidate-text">{shown(each.text)}</p>
              <p className="hood-faint tabular">
                {words.supporters(each.supporters.join(", "))} · {words.score}{" "}
                {scoreOf(each)}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p>
        <Badge>{confidence.label}</Badge> <span className="soft">{confidence.basis}</span>
      </p>
    </Part>
  );
}
