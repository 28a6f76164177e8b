import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { integer } from "../../../strings/numbers";
import { EmptyState } from "../../../ui/states";
import { Figures, Loaded, Part } from "../parts";
import { useDomainRates, useRecord } from "../reads";
import { DomainRates } from "./DomainRates";
import { Scores } from "./Scores";
import { Standings } from "./Standings";

const words = en.hood.record;

/** How often each member is right, overall and by domain, and what was believed of it before any grade. */
export function RecordSection() {
  const record = useRecord();
  const rates = useDomainRates();
  return (
    <Part level={2} title={en.hood.sections.record} intro={words.intro}>
      <Loaded read={record}>
        {(ranked) => (
          <>
            <Basis ranked={ranked} />
            {ranked.seats.length === 0 ? (
              <EmptyState icon="hood" title={words.empty}>
                {words.emptyHow}
              </EmptyState>
            ) : (
              <Standings seats={ranked.seats} />
            )}
          </>
        )}
      </Loaded>
      <Part title={words.byDomain} intro={words.byDomainHint}>
        <Loaded read={rates}>{(found) => <DomainRates rates={found} />}</Loaded>
      </Part>
      <Scores />
    </Part>
  );
}

function Basis({ ranked }: { ranked: Schemas["Ranked"] }) {
  const { guard, calibrated } = ranked;
  return (
    <>
      <Figures
        figures={[
          { label: words.graded, value: integer(ranked.graded) },
          { label: words.rule, value: words.rules[ranked.policy] ?? ranked.policy },
          {
            label: words.sure,
            value: calibrated ? words.probability : words.score,
            basis: calibrated ? words.probabilityBasis : words.scoreBasis,
          },
          { label: words.gain, value: words.gainPoints(guard.gain), basis: words.gainBasis(guard.questions, guard.error) },
        ]}
      />
      <p className="hood-why">{ranked.why}</p>
    </>
  );
}
