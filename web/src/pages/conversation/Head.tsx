import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useCopy } from "../../answer/Actions";
import { saveText } from "../../answer/files";
import { api, data, type Schemas } from "../../api/client";
import { RenameDialog } from "../../shell/RenameDialog";
import { en } from "../../strings/en";
import { Badge } from "../../ui/Badge";
import { IconButton } from "../../ui/IconButton";
import { Icon } from "../../ui/icons";
import { Menu, type MenuItem } from "../../ui/Menu";
import { useToast } from "../../ui/Toast";
import { reportFailure } from "../../api/failures";
import { hasInstructions, InstructionsDialog } from "./InstructionsDialog";
import { LeftOutDialog } from "./LeftOutDialog";
import type { Thread } from "./thread";
import { shown } from "../../markdown/text";

type Conversation = Schemas["Conversation"];

/** What can be done with a conversation as a whole. */
export function ConversationMenu({ conversation, branches }: { conversation: Conversation; branches: Thread["branches"] }): ReactNode {
  const words = en.conversation;
  const [asking, setAsking] = useState<"rename" | "instructions" | "left-out" | null>(null);
  const { copy, save } = useExport(conversation);
  const close = () => setAsking(null);
  const own: MenuItem[] = [{ label: words.rename, icon: "edit", onSelect: () => setAsking("rename") }];
  if (hasInstructions(conversation)) own.push({ label: words.instructions, icon: "settings", onSelect: () => setAsking("instructions") });
  own.push({ label: en.bars.leftOutTitle, icon: "memory", onSelect: () => setAsking("left-out") });
  const out: MenuItem[] = [
    { label: words.copyMarkdown, icon: "copy", onSelect: copy },
    { label: words.exportMarkdown, icon: "download", onSelect: () => save("markdown") },
    { label: words.exportJson, icon: "download", onSelect: () => save("json") },
  ];
  return (
    <>
      {conversation.project && <Badge>{words.project(shown(conversation.project))}</Badge>}
      {conversation.source !== "auritas" && <Badge>{words.source[conversation.source]}</Badge>}
      {branches.length > 0 && <Badge icon="branch">{words.branches(branches.length)}</Badge>}
      <Menu trigger={<IconButton icon="more" label={words.actions} />} groups={[own, out]} />
      {asking === "rename" && <RenameDialog conversation={conversation} onClose={close} />}
      {asking === "left-out" && <LeftOutDialog id={conversation.id} onClose={close} />}
      {asking === "instructions" && hasInstructions(conversation) && (
        <InstructionsDialog id={conversation.id} instructions={conversation.instructions} onClose={close} />
      )}
    </>
  );
}

/** Says that a conversation is a branch, and leads back to where it came from, as long as that is there. */
export function BranchNote({ conversation, origin }: { conversation: Conversation; origin: string | null }) {
  if (conversation.branched_from == null) return null;
  return (
    <p className="conversation-note">
      <Icon name="branch" size={16} />
      {en.conversation.branchOf}
      {origin && (
        <Link to="/c/$id" params={{ id: origin }} search={{ message: conversation.branched_from }}>
          {en.conversation.branchBack}
        </Link>
      )}
    </p>
  );
}

type Form = Schemas["Form"];
const TYPES: Readonly<Record<Form, readonly [string, string]>> = {
  markdown: ["md", "text/markdown"],
  json: ["json", "application/json"],
};

function useExport({ id, title }: Conversation) {
  const copyText = useCopy();
  const toast = useToast();
  const written = (form: Form): Promise<unknown> =>
    data(
      api.POST("/api/v1/conversations/{conversation_id}/export", {
        params: { path: { conversation_id: id } },
        body: { form },
        parseAs: "text",
      }),
    );
  const fail = (error: unknown) => reportFailure(error instanceof Error ? error : new Error(String(error)));
  const copy = () => void written("markdown").then((text) => copyText(String(text), en.conversation.copied), fail);
  const save = (form: Form) => {
    const [ending, type] = TYPES[form];
    const done = (text: unknown) => {
      saveText(`${fileName(title)}.${ending}`, String(text), type);
      toast({ text: en.conversation.exported });
    };
    void written(form).then(done, fail);
  };
  return { copy, save };
}

/** A title as the name of a file, without what systems forbid there. */
export function fileName(title: string): string {
  const plain = shown(title).replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ").trim().slice(0, 80);
  return plain || en.conversation.untitled;
}
