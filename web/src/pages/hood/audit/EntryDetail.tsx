import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { RelativeTime } from "../../../ui/words";
import { Facts } from "../Facts";
import { Loaded } from "../parts";
import { Level } from "./Level";
import { kindName } from "./lines";
import { useCopy, useEntry, useSaveProof } from "./reads";
import { shown } from "../../../markdown/text";

const words = en.hood.audit;

/** One entry with what it commits to, what covers it, and its proof as a file. */
export function EntryDetail({ seq }: { seq: number }) {
  const detail = useEntry(seq);
  return <Loaded read={detail}>{(found) => <Found found={found} />}</Loaded>;
}

function Found({ found: { entry, checkpoint } }: { found: Schemas["EntryDetail"] }) {
  return (
    <div className="hood-part">
      <Facts
        facts={[
          [words.time, <RelativeTime key="at" at={entry.ts} />],
          [words.kind, kindName(entry.kind)],
          [words.actor, shown(entry.actor)],
          ...Object.entries(entry.refs).map(([name, value]) => [kindName(name), shown(String(value ?? en.ui.none))] as const),
        ]}
      />
      <h3>{words.commits}</h3>
      <Facts
        facts={[
          [words.leaf, <code key="leaf">{entry.leaf_hash}</code>],
          [
            words.body,
            entry.body_commit === null ? words.noBody : <code key="body">{entry.body_commit}</code>,
            entry.erased ? words.erased : undefined,
          ],
          [words.level, <Level key="level" level={entry.level} />],
          [
            words.covered,
            checkpoint ? words.coveredBy(checkpoint.size) : words.notCovered,
            checkpoint?.root,
          ],
        ]}
      />
      <Prove seq={entry.seq} />
    </div>
  );
}

function Prove({ seq }: { seq: number }) {
  const { save, made, busy } = useSaveProof();
  const copy = useCopy();
  return (
    <>
      <div>
        <Button kind="primary" icon="download" busy={busy} onClick={() => save(seq)}>
          {words.prove}
        </Button>
      </div>
      {made && (
        <Facts
          facts={[
            [
              words.proofKey,
              <span key="key" className="hood-named">
                <code>{made.key}</code>
                <Button size="s" icon="copy" onClick={() => copy(made.key)}>
                  {words.copy}
                </Button>
              </span>,
            ],
          ]}
        />
      )}
    </>
  );
}
