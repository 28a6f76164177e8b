import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useMutation } from "../../api/mutation";
import type { AnswerActs } from "../../answer/Actions";
import { useSay } from "../../answer/asking";
import { useAskAgain } from "../../answer/requests";
import { api, data } from "../../api/client";
import type { Wish } from "../../composer/Composer";
import { carryLevel } from "../../composer/choices";
import { keepDraft } from "../../composer/draft";
import type { AccuracyLevel } from "../../streams/events";
import { en } from "../../strings/en";
import { useToast } from "../../ui/Toast";
import type { MessageActs } from "./MessageRow";
import type { Message } from "./thread";

/** Where the words of a reworded question are kept until they are sent. */
export function editDraft(conversation: string, message: Message): string {
  return `${conversation}.edit.${message.id}`;
}

/** What a person does in a conversation: say more, reword, ask again, branch. last: the level at which was asked last. */
export function useActs(id: string, last: AccuracyLevel | null, questionOf: (message: Message) => Message | null) {
  const [editing, setEditing] = useState<Message | null>(null);
  const { mutate: again } = useAskAgain();
  const { mutateAsync: say } = useSay();
  const branch = useBranch(id);
  const goTo = useGoToBranch(id);
  const send = async (wish: Partial<Wish> & { text: string }, edits: Message | null): Promise<boolean> => {
    try {
      const run = await say({ ...wish, projectId: null, conversationId: id, edits: edits?.id ?? null });
      setEditing(null);
      if (edits && run.conversation_id) goTo(run.conversation_id);
      return true;
    } catch {
      return false; // The failure was told; the words stay in the box.
    }
  };
  const acts = useMemo<MessageActs & { live: AnswerActs }>(() => {
    const edit = (message: Message) => {
      keepDraft(editDraft(id, message), message.text);
      setEditing(message);
    };
    const onSay = (text: string, level: AccuracyLevel | null) => void say({ text, conversationId: id, level: level ?? last }).catch(() => undefined);
    const answer = (message: Message): AnswerActs => {
      const question = questionOf(message);
      return {
        // A copy's question would be asked, and answered, where it came from.
        onRetry: message.question?.copied ? undefined : (wish) => again({ queryId: message.question?.query_id ?? "", ...wish }),
        onEdit: question ? () => edit(question) : undefined,
        onBranch: () => branch(message.id),
        onSay,
      };
    };
    return {
      answer,
      onEdit: edit,
      onRetry: (queryId, level) => again({ queryId, level }),
      live: { onRetry: () => undefined, onSay },
    };
  }, [id, last, again, say, branch, questionOf]);
  const stopEditing = () => {
    if (editing) keepDraft(editDraft(id, editing), "");
    setEditing(null);
  };
  return { acts, editing, stopEditing, send, again };
}

function useGoToBranch(id: string): (branch: string) => void {
  const navigate = useNavigate();
  const toast = useToast();
  return (branch) => {
    carryLevel(id, branch);
    void navigate({ to: "/c/$id", params: { id: branch } });
    toast({ text: en.conversation.branched });
  };
}

function useBranch(id: string): (message: string) => void {
  const client = useQueryClient();
  const goTo = useGoToBranch(id);
  const { mutate } = useMutation({
    mutationFn: (at: string) =>
      data(
        api.POST("/api/v1/conversations/{conversation_id}/branches", {
          params: { path: { conversation_id: id } },
          body: { at, before: false },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ["conversations"] }),
  });
  return (message) => mutate(message, { onSuccess: ({ conversation }) => goTo(conversation.id) });
}
