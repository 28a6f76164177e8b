import { Link } from "@tanstack/react-router";
import { Claim } from "../../claim/Claim";
import { en } from "../../strings/en";
import { RelativeTime } from "../../ui/words";
import type { Detail, Happened } from "./corrections";
import { shown } from "../../markdown/text";

/** What became of it, latest first, and what it took the place of. That it was used is told elsewhere. */
export function HistoryOf({ detail }: { detail: Detail }) {
  const words = en.memory.detail;
  const { correction } = detail.entry;
  const lines = detail.history.filter((each) => each.change !== "applied").toReversed();
  return (
    <>
      {detail.replaces.length > 0 && (
        <section className="memory-part" aria-labelledby="replaces">
          <h3 id="replaces">{words.replaces}</h3>
          <ul className="memory-lines">
            {detail.replaces.map((each) => (
              <li key={each.id} className="memory-line">
                <Link to="/memory/$id" params={{ id: each.id }}>
                  <Claim said={each} gone />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="memory-part" aria-labelledby="history">
        <h3 id="history">{words.history}</h3>
        <ol className="memory-history">
          {lines.map((each) => (
            <Line key={`${each.act_id} ${each.change}`} happened={each} claim={correction.claim} />
          ))}
        </ol>
      </section>
    </>
  );
}

function Line({ happened, claim }: { happened: Happened; claim: string }) {
  const before = happened.before?.claim ?? "";
  return (
    <li>
      <span>{en.memory.changes[happened.change]}</span>{" "}
      <span className="soft">
        <RelativeTime at={happened.at} />
      </span>
      {before !== "" && before !== claim && <p className="soft">{en.memory.before(shown(before))}</p>}
    </li>
  );
}
