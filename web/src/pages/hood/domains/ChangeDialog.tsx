import { type SubmitEvent, useState } from "react";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Dialog } from "../../../ui/Dialog";
import { Field, TextInput } from "../../../ui/Field";
import { Select } from "../../../ui/Select";
import { type Node, useDomainActs } from "./acts";
import { failureWords } from "../failure";

const words = en.hood.domains;
const FORM = "domain-change";
const TITLES = { rename: words.renameTitle, alias: words.aliasTitle, merge: words.mergeTitle } as const;
const HINTS = { rename: words.renameHint, alias: words.aliasHint, merge: words.mergeHint } as const;

export interface Change {
  readonly kind: "rename" | "alias" | "merge";
  readonly node: Node;
}

interface ChangeDialogProps {
  change: Change;
  nodes: readonly Node[];
  onClose: () => void;
}

/** Asks for what a change of the tree needs: a name, or the domain that takes over. */
export function ChangeDialog({ change: { kind, node }, nodes, onClose }: ChangeDialogProps) {
  const others = nodes.filter((each) => !each.path.includes(node.id));
  const [name, setName] = useState(kind === "rename" ? node.name : "");
  const [into, setInto] = useState(others[0]?.id ?? "");
  const { change } = useDomainActs();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const done = { onSuccess: onClose };
    if (kind === "merge") change.mutate({ kind, node, into }, done);
    else if (name.trim() !== "") change.mutate({ kind, node, name: name.trim() }, done);
  };
  const ready = kind === "merge" ? into !== "" : name.trim() !== "";
  const error = failureWords(change.error);
  const footer = (
    <>
      <Button onClick={onClose}>{en.ui.cancel}</Button>
      <Button kind="primary" type="submit" form={FORM} busy={change.isPending} disabled={!ready}>
        {words.confirm[kind]}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={TITLES[kind](node.name)}
      description={HINTS[kind]}
      footer={footer}
    >
      <form id={FORM} onSubmit={submit}>
        {kind === "merge" ? (
          <Field label={words.into} error={error}>
            {(control) => <Select {...control} value={into} onChoose={setInto} options={choices(others)} />}
          </Field>
        ) : (
          <Field label={words.newName} error={error}>
            {(control) => <TextInput {...control} maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
        )}
      </form>
    </Dialog>
  );
}

function choices(nodes: readonly Node[]) {
  return nodes.map((each) => ({ value: each.id, label: `${"  ".repeat(each.depth)}${each.name}` }));
}
