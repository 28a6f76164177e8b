import { useState } from "react";
import type { Schemas } from "../../../api/client";
import { reportFailure } from "../../../api/failures";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Tooltip } from "../../../ui/Tooltip";
import { RelativeTime } from "../../../ui/words";
import { Loaded, Part } from "../parts";
import { useDomains } from "../reads";
import { nameOf, type Node, useDomainActs } from "./acts";
import { Candidates } from "./Candidates";
import { ChangeDialog, type Change } from "./ChangeDialog";
import { Tree } from "./Tree";

const words = en.hood.domains;

/** The tree of domains, what may become one, and what changed it. */
export function DomainsSection() {
  const domains = useDomains();
  const { change, undo, refresh } = useDomainActs();
  const [asked, setAsked] = useState<Change | null>(null);
  const act = (kind: Change["kind"] | "demote", node: Node) => {
    if (kind === "demote") change.mutate({ kind, node }, { onError: reportFailure });
    else setAsked({ kind, node });
  };
  const actions = (
    <Tooltip text={words.refreshHint}>
      <Button size="s" icon="retry" busy={refresh.isPending} onClick={() => refresh.mutate()}>
        {words.refresh}
      </Button>
    </Tooltip>
  );
  return (
    <Part level={2} title={en.hood.sections.domains} intro={words.intro} actions={actions}>
      <Loaded read={domains} lines={8}>
        {({ nodes, candidates, changes }) => (
          <>
            <Tree nodes={nodes} onAct={act} />
            <Part title={words.candidates}>
              <Candidates candidates={candidates} />
            </Part>
            <Changes changes={changes} busy={undo.isPending} onUndo={() => undo.mutate()} />
            {asked && <ChangeDialog change={asked} nodes={nodes} onClose={() => setAsked(null)} />}
          </>
        )}
      </Loaded>
    </Part>
  );
}

interface ChangesProps {
  changes: readonly Schemas["DomainChange"][];
  busy: boolean;
  onUndo: () => void;
}

function Changes({ changes, busy, onUndo }: ChangesProps) {
  const undo = changes.length > 0 && (
    <Button size="s" icon="undo" busy={busy} onClick={onUndo}>
      {words.undo}
    </Button>
  );
  return (
    <Part title={words.changes} actions={undo}>
      {changes.length === 0 ? (
        <p className="soft">{words.noChanges}</p>
      ) : (
        <ol className="hood-plain-list">
          {changes.map((each) => (
            <li key={each.seq} className="hood-line">
              <span>
                <strong>{nameOf(each.node)}</strong> {words.change[each.kind]}
              </span>
              <span className="hood-faint">
                <RelativeTime at={each.at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}
