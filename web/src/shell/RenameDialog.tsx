import { type SubmitEvent, useState } from "react";
import { type Conversation, useChangeConversation } from "../api/conversations";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Field, TextInput } from "../ui/Field";
import { useToast } from "../ui/Toast";

/** Characters that a title may have. */
const LONGEST = 200;

export function RenameDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const words = en.shell.conversations;
  const [title, setTitle] = useState(conversation.title);
  const change = useChangeConversation();
  const toast = useToast();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const undo = () => change.mutate({ id: conversation.id, title: conversation.title });
    change.mutate(
      { id: conversation.id, title: title.trim() },
      {
        onSuccess: () => {
          onClose();
          toast({ text: words.renamed, undo });
        },
      },
    );
  };
  return (
    <Dialog open onOpenChange={onClose} title={words.renameTitle}>
      <form className="rename" onSubmit={submit}>
        <Field label={words.renameLabel} error={change.error?.message} required>
          {(control) => (
            <TextInput
              {...control}
              value={title}
              maxLength={LONGEST}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <div className="rename-foot">
          <Button onClick={onClose}>{en.ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={change.isPending} disabled={title.trim() === ""}>
            {words.renameConfirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
