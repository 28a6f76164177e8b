import { Link } from "@tanstack/react-router";
import { en } from "../../strings/en";
import { decimal } from "../../strings/numbers";
import { Button } from "../../ui/Button";
import { Meter } from "../../ui/Meter";
import { Skeleton } from "../../ui/states";
import { RelativeTime } from "../../ui/words";
import { useWhy } from "../../why/address";
import { useUses, useWeighed } from "./corrections";
import { shown } from "../../markdown/text";

/** Factors that take from the score instead of adding to it. */
const LOWER = new Set(["staleness", "token_cost"]);

/** The questions that it entered, and how it was weighed for the last of them. */
export function Uses({ id }: { id: string }) {
  const words = en.memory.detail;
  const uses = useUses(id);
  const why = useWhy();
  const last = uses.data?.[0];
  return (
    <>
      {last && <Factors id={id} question={last.query_id} />}
      <section className="memory-part" aria-labelledby="uses">
        <h3 id="uses">{words.uses}</h3>
        {uses.isPending && <Skeleton lines={2} />}
        {uses.data?.length === 0 && <p className="soft">{words.usesNone}</p>}
        <ul className="memory-lines">
          {uses.data?.map((each) => (
            <li key={each.query_id} className="memory-line">
              <span>
                <Link to="/c/$id" params={{ id: each.conversation_id }}>
                  {shown(each.question)}
                </Link>{" "}
                <span className="soft">
                  <RelativeTime at={each.at} />
                </span>
              </span>
              <Button size="s" kind="quiet" onClick={() => why.open(each.query_id)}>
                {words.why}
              </Button>
            </li>
          ))}
        </ul>
        {uses.hasNextPage && (
          <Button size="s" kind="quiet" icon="down" busy={uses.isFetchingNextPage} onClick={() => void uses.fetchNextPage()}>
            {words.moreUses}
          </Button>
        )}
      </section>
    </>
  );
}

function Factors({ id, question }: { id: string; question: string }) {
  const words = en.memory.detail;
  const { data: weighed, isPending } = useWeighed(id, question);
  if (isPending) return <Skeleton lines={3} />;
  const { factors: names, why, lowers } = en.answer.memory;
  const labels: Readonly<Record<string, string>> = names;
  return (
    <section className="memory-part" aria-labelledby="factors">
      <h3 id="factors">{words.factors}</h3>
      {!weighed && <p className="soft">{words.noFactors}</p>}
      {weighed && (
        <>
          <p className="soft">
            {why[weighed.reason] ?? weighed.reason} <span className="tabular">{words.score(decimal(weighed.score))}</span>
          </p>
          <dl className="memory-factors">
            {Object.entries(weighed.factors).map(([name, value]) => {
              const label = labels[name] ?? name;
              const lower = LOWER.has(name);
              return (
                <div key={name}>
                  <dt>{label}</dt>
                  <dd>
                    <Meter
                      label={lower ? `${label}, ${lowers}` : label}
                      value={value}
                      words={value.toFixed(2)}
                      tone={lower ? "differ" : "accent"}
                    />
                    <span className="tabular">{value.toFixed(2)}</span>
                  </dd>
                </div>
              );
            })}
          </dl>
        </>
      )}
    </section>
  );
}
