import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { useMutation } from "../../api/mutation";
import { api, data, type Schemas } from "../../api/client";
import { reportFailure } from "../../api/failures";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Field } from "../../ui/Field";
import { TextArea } from "../../ui/TextArea";
import { useToast } from "../../ui/Toast";

type Conversation = Schemas["Conversation"];
/** What the server takes: every question carries them. */
const LONGEST = 4_000;

/** Whether the server keeps instructions for conversations; one that does names them with each. */
export function hasInstructions(conversation: Conversation): conversation is Conversation & { instructions: string } {
  return "instructions" in conversation && typeof conversation.instructions === "string";
}

/** What every member reads before each question of a conversation. */
export function InstructionsDialog({ id, instructions, onClose }: { id: string; instructions: string; onClose: () => void }) {
  const words = en.conversation;
  const [text, setText] = useState(instructions);
  const client = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    meta: { quiet: true },
    mutationFn: (next: string) => {
      const body: Schemas["ConversationChange"] & { instructions: string } = { instructions: next };
      return data(api.PATCH("/api/v1/conversations/{conversation_id}", { params: { path: { conversation_id: id } }, body }));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["conversations"] }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const done = () => {
      onClose();
      toast({ text: words.instructionsSaved, undo: () => change.mutate(instructions, { onError: reportFailure }) });
    };
    change.mutate(text.trim(), { onSuccess: done });
  };
  return (
    <Dialog open onOpenChange={onClose} title={words.instructions}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.instructionsLabel} hint={words.instructionsHint} error={change.error?.message}>
          {(control) => (
            <TextArea
              {...control}
              value={text}
              rows={4}
              maxLength={LONGEST}
              placeholder={words.instructionsPlaceholder}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className="stack-foot">
          <Button onClick={onClose}>{en.ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={change.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
