import { type RefObject, useEffect, useRef } from "react";
import type { Going } from "../../answer/going";
import { Composer, type Wish } from "../../composer/Composer";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { editDraft } from "./acts";
import type { Message } from "./thread";

interface ComposingProps {
  /** The conversation. */
  id: string;
  /** The question that is being reworded. */
  editing: Message | null;
  /** Whether the box takes focus when the page opens. */
  focused: boolean;
  going: Going | null;
  onSend: (wish: Wish, edits: Message | null) => Promise<boolean>;
  onCancel: () => void;
}

/** What is written next. While a question is reworded, what was begun before waits unseen, with its files and choices. */
export function Composing({ id, editing, focused, going, onSend, onCancel }: ComposingProps) {
  const next = useRef<HTMLTextAreaElement>(null);
  const edit = useRef<HTMLTextAreaElement>(null);
  useFocus(editing ? edit : next, editing !== null || focused, editing?.id);
  return (
    <div className="conversation-composer">
      <div hidden={editing !== null}>
        <Composer
          draft={id}
          placeholder={en.composer.placeholderNext}
          beginning={false}
          going={going}
          box={next}
          onSend={(wish) => onSend(wish, null)}
        />
      </div>
      {editing && (
        <Composer
          key={editing.id}
          draft={editDraft(id, editing)}
          levelOf={id}
          placeholder={en.composer.placeholderNext}
          beginning={false}
          going={going}
          box={edit}
          onSend={(wish) => onSend(wish, editing)}
          note={<EditNote onCancel={onCancel} />}
          sendLabel={en.conversation.editSend}
        />
      )}
    </div>
  );
}

function EditNote({ onCancel }: { onCancel: () => void }) {
  return (
    <div className="composer-note">
      <span>{en.conversation.editing}</span>
      <Button size="s" kind="quiet" onClick={onCancel}>
        {en.conversation.editCancel}
      </Button>
    </div>
  );
}

/** Where fingers type, a box that takes focus brings up the keyboard unasked. */
function useFocus(box: RefObject<HTMLTextAreaElement | null>, wanted: boolean, subject: string | undefined): void {
  useEffect(() => {
    if (wanted && !matchMedia("(pointer: coarse)").matches) box.current?.focus();
  }, [box, wanted, subject]);
}
