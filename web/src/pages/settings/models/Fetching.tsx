import { en } from "../../../strings/en";
import { bytes } from "../../../strings/numbers";
import { Button } from "../../../ui/Button";
import { RunProgress, useLatestRun } from "../RunProgress";
import { type Models, useFetchModels } from "./requests";

/** Sets of models that are not all here yet, and how far fetching them is. */
export function Fetching({ models }: { models: Models }) {
  const words = en.models;
  const run = useLatestRun("fetch");
  const { mutate: fetch, isPending, variables } = useFetchModels();
  const tiers = models.tiers.filter((tier) => tier.missing_bytes > 0 && words.tiers[tier.name]);
  const going = run?.state === "running";
  return (
    <>
      {run && (
        <RunProgress
          run={run}
          label={words.fetching}
          done={words.fetchDone}
          stopped={words.stopped}
          unit="bytes"
          {...(variables ? { onRetry: () => fetch(variables) } : {})}
        />
      )}
      {!going && tiers.length > 0 && (
        <ul className="tiers">
          {tiers.map(({ name, missing_bytes }) => (
            <li key={name} className="tier">
              <div>
                <p>
                  {words.tiers[name]?.title} <span className="soft tabular">{words.toFetch(bytes(missing_bytes))}</span>
                </p>
                <p className="soft">{words.tiers[name]?.text}</p>
              </div>
              <Button
                size="s"
                icon="download"
                busy={isPending && variables === name}
                aria-label={words.fetchOf(words.tiers[name]?.title ?? name, bytes(missing_bytes))}
                onClick={() => fetch(name)}
              >
                {words.fetch}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
