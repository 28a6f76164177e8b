import { Link, useMatchRoute, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Conversation, useChangeConversation, useDeleteConversation } from "../api/conversations";
import { en } from "../strings/en";
import { AlertDialog } from "../ui/AlertDialog";
import { IconButton } from "../ui/IconButton";
import { Icon } from "../ui/icons";
import { Menu } from "../ui/Menu";
import { useToast } from "../ui/Toast";
import { VisuallyHidden } from "../ui/words";
import { RenameDialog } from "./RenameDialog";
import { shown } from "../markdown/text";

interface ConversationRowProps {
  conversation: Conversation;
  onChoose: (() => void) | undefined;
}

export function ConversationRow({ conversation, onChoose }: ConversationRowProps) {
  const words = en.shell.conversations;
  const [asking, setAsking] = useState<"rename" | "remove" | null>(null);
  const title = shown(conversation.title) || words.untitled;
  const { archive, remove, removing } = useActs(conversation, title);
  const close = () => setAsking(null);
  return (
    <div className="conversation-row">
      <Link
        className="conversation-link"
        to="/c/$id"
        params={{ id: conversation.id }}
        title={title}
        dir="auto"
        onClick={onChoose}
        preload={false}
      >
        {conversation.branched_from != null && <BranchMark />}
        {title}
      </Link>
      <Menu
        trigger={<IconButton size="s" icon="more" label={words.actions(title)} />}
        groups={[
          [
            { label: words.rename, icon: "edit", onSelect: () => setAsking("rename") },
            { label: words.archive, icon: "archive", onSelect: archive },
          ],
          [{ label: words.remove, icon: "trash", danger: true, onSelect: () => setAsking("remove") }],
        ]}
      />
      {asking === "rename" && <RenameDialog conversation={conversation} onClose={close} />}
      <AlertDialog
        open={asking === "remove"}
        onOpenChange={close}
        title={words.removeTitle}
        description={words.removeText(title)}
        confirm={words.remove}
        danger
        busy={removing}
        onConfirm={() => remove(close)}
      />
    </div>
  );
}

/** That a conversation is a branch, before its title: the end of a long title is cut off. */
function BranchMark() {
  return (
    <span className="conversation-branch">
      <Icon name="branch" size={14} />
      <VisuallyHidden>{en.shell.conversations.branch}</VisuallyHidden>
    </span>
  );
}

/** Archiving, which can be taken back, and deleting, which cannot. Whoever reads the conversation is led to Ask. */
function useActs({ id }: Conversation, title: string) {
  const words = en.shell.conversations;
  const toast = useToast();
  const leave = useLeaving(id);
  const { mutate: change } = useChangeConversation();
  const deletion = useDeleteConversation();
  const archive = () =>
    change(
      { id, archived: true },
      {
        onSuccess: () => {
          leave();
          toast({ text: words.archived(title), undo: () => change({ id, archived: false }) });
        },
      },
    );
  const remove = (done: () => void) =>
    deletion.mutate(id, {
      onSuccess: () => {
        leave();
        toast({ text: words.deleted });
      },
      onSettled: done,
    });
  return { archive, remove, removing: deletion.isPending };
}

function useLeaving(id: string): () => void {
  const matches = useMatchRoute();
  const navigate = useNavigate();
  return () => {
    if (matches({ to: "/c/$id", params: { id } })) void navigate({ to: "/" });
  };
}
