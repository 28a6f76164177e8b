import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { Badge } from "../../../ui/Badge";
import { Meter } from "../../../ui/Meter";
import { RelativeTime } from "../../../ui/words";
import { nameOf } from "./acts";
import "./domains.css";

const words = en.hood.domains;

type Gate = Schemas["GateLine"];

/** Fields that may become domains, and what each still lacks for it. */
export function Candidates({ candidates }: { candidates: readonly Gate[] }) {
  if (candidates.length === 0) return <p className="soft">{words.noCandidates}</p>;
  return (
    <ul className="hood-plain-list hood-gates">
      {candidates.map((gate) => (
        <li key={gate.string} className="hood-gate">
          <Head gate={gate} />
          <div className="hood-gate-bars">
            <Bar label={words.evidence} has={gate.evidence} needs={gate.evidence_needed} text={words.evidenceOf} />
            <Bar label={words.difference} has={gate.difference} needs={gate.difference_needed} text={words.differenceOf} />
          </div>
          {gate.missing.length > 0 && (
            <div>
              <p className="hood-gate-label">{words.lacks}</p>
              <ul className="hood-gate-missing">
                {gate.missing.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Head({ gate }: { gate: Gate }) {
  return (
    <div className="hood-line">
      <span>
        <strong>{nameOf(gate.string)}</strong> <span className="soft">{words.under(nameOf(gate.below))}</span>{" "}
        {gate.missing.length === 0 && (
          <Badge tone="agree" icon="check">
            {words.ready}
          </Badge>
        )}
      </span>
      <span className="hood-faint">
        {words.named(gate.questions, gate.models.length)}, {words.seen} <RelativeTime at={gate.last_seen} />
      </span>
    </div>
  );
}

interface BarProps {
  label: string;
  has: number;
  needs: number;
  text: (has: number, needs: number) => string;
}

function Bar({ label, has, needs, text }: BarProps) {
  const words = text(has, needs);
  return (
    <div className="hood-gate-bar">
      <span className="hood-line">
        <span className="hood-gate-label">{label}</span>
        <span className="hood-faint tabular">{words}</span>
      </span>
      <Meter label={label} value={needs > 0 ? has / needs : 1} tone={has > needs ? "agree" : "accent"} words={words} />
    </div>
  );
}
