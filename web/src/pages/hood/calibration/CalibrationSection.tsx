import { useState } from "react";
import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { integer } from "../../../strings/numbers";
import { Meter } from "../../../ui/Meter";
import { Segmented } from "../../../ui/Segmented";
import { Select } from "../../../ui/Select";
import { EmptyState } from "../../../ui/states";
import { Loaded, Part } from "../parts";
import { useCalibration } from "../reads";
import { Diagram } from "./Diagram";
import "./calibration.css";

type Calibration = Schemas["Calibration"];

const words = en.hood.calibration;
const COUNCIL = "";

/** Whether what the council and its members say of their own sureness can be believed. */
export function CalibrationSection() {
  const calibration = useCalibration();
  return (
    <Part level={2} title={en.hood.sections.calibration} intro={words.intro}>
      <Loaded read={calibration}>{(found) => <Found found={found} />}</Loaded>
    </Part>
  );
}

function Found({ found }: { found: Calibration }) {
  const [whose, setWhose] = useState(COUNCIL);
  const member = found.members.find((each) => each.seat === whose);
  return (
    <>
      <Needed found={found} />
      {found.members.length > 0 && (
        <div className="hood-filters">
          <Select
            aria-label={words.whose}
            value={whose}
            onChoose={setWhose}
            options={[
              { value: COUNCIL, label: words.council },
              ...found.members.map(({ seat }) => ({ value: seat, label: seat })),
            ]}
          />
        </div>
      )}
      {member ? <OfMember member={member} /> : <OfCouncil found={found} />}
    </>
  );
}

function Needed({ found: { graded, needed } }: { found: Calibration }) {
  if (needed === 0) return <p className="hood-why">{words.enough(graded)}</p>;
  return (
    <div className="hood-needed">
      <p className="hood-why">{words.needed(needed, graded)}</p>
      <Meter
        label={words.progress}
        value={graded / (graded + needed)}
        words={`${integer(graded)} / ${integer(graded + needed)}`}
      />
    </div>
  );
}

type Which = "probabilities" | "scores";

function OfCouncil({ found }: { found: Calibration }) {
  const [chosen, setChosen] = useState<Which | null>(null);
  const which = chosen ?? (found.probabilities.count > 0 ? "probabilities" : "scores");
  if (found.probabilities.count + found.scores.count === 0)
    return (
      <EmptyState icon="hood" title={words.empty}>
        {words.emptyHow(found.needed)}
      </EmptyState>
    );
  const both = found.probabilities.count > 0 && found.scores.count > 0;
  return (
    <>
      {both && (
        <Segmented
          label={words.which}
          value={which}
          onChoose={setChosen}
          options={[
            { value: "probabilities", label: words.probabilities },
            { value: "scores", label: words.scores },
          ]}
        />
      )}
      <p className="soft">{which === "scores" ? words.scoresHint : words.probabilitiesHint}</p>
      <Diagram key={which} who={words.council} diagram={found[which]} />
    </>
  );
}

function OfMember({ member }: { member: Schemas["MemberCalibration"] }) {
  if (member.diagram.count === 0)
    return (
      <EmptyState icon="hood" title={words.emptyMember}>
        {words.noMember}
      </EmptyState>
    );
  return (
    <Diagram
      key={member.seat}
      who={words.ofMember(member.seat)}
      diagram={member.diagram}
      {...(member.grades > 0 ? { curve: member.curve } : {})}
    />
  );
}
