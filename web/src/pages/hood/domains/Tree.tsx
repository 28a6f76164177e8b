import { en } from "../../../strings/en";
import { IconButton } from "../../../ui/IconButton";
import { Menu } from "../../../ui/Menu";
import type { Node } from "./acts";
import type { Change } from "./ChangeDialog";
import "./domains.css";

const words = en.hood.domains;

type Act = (kind: Change["kind"] | "demote", node: Node) => void;

/** The tree as lists within lists: each domain with its names, its questions, and what can be done with it. */
export function Tree({ nodes, onAct }: { nodes: readonly Node[]; onAct: Act }) {
  const roots = nodes.filter((node) => node.parent === null);
  return <Level nodes={roots} all={nodes} onAct={onAct} label={words.tree} />;
}

interface LevelProps {
  nodes: readonly Node[];
  all: readonly Node[];
  onAct: Act;
  label?: string;
}

function Level({ nodes, all, onAct, label }: LevelProps) {
  if (nodes.length === 0) return null;
  return (
    <ul className="hood-tree" aria-label={label}>
      {nodes.map((node) => (
        <li key={node.id}>
          <div className="hood-tree-node">
            <span className="hood-tree-name">
              <span>{node.name}</span>
              {node.aliases.length > 0 && <span className="hood-faint hood-tree-aliases">{words.aliases(node.aliases.join(", "))}</span>}
            </span>
            <span className="hood-faint tabular">{words.questions(node.questions)}</span>
            <Acts node={node} onAct={onAct} />
          </div>
          <Level nodes={all.filter((each) => each.parent === node.id)} all={all} onAct={onAct} />
        </li>
      ))}
    </ul>
  );
}

function Acts({ node, onAct }: { node: Node; onAct: Act }) {
  // The roots are fixed: they can only get more names.
  const fixed = node.parent === null;
  const trigger = <IconButton size="s" icon="more" label={words.actionsFor(node.name)} tip={false} />;
  return (
    <Menu
      trigger={trigger}
      groups={[
        [
          { label: words.rename, icon: "edit", disabled: fixed, onSelect: () => onAct("rename", node) },
          { label: words.alias, icon: "plus", onSelect: () => onAct("alias", node) },
        ],
        [
          { label: words.merge, icon: "branch", disabled: fixed, onSelect: () => onAct("merge", node) },
          { label: words.demote, icon: "archive", disabled: fixed, onSelect: () => onAct("demote", node) },
        ],
      ]}
    />
  );
}
