import { type DragEvent as ReactDragEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import type { Going } from "../answer/going";
import { announce } from "../shell/announcer";
import type { AccuracyLevel } from "../streams/events";
import { en } from "../strings/en";
import { Icon } from "../ui/icons";
import { TextArea } from "../ui/TextArea";
import { useAttachments } from "./attachments";
import { useLevel } from "./choices";
import "./composer.css";
import { keepDraft, readDraft } from "./draft";
import { FileChips } from "./FileChips";
import { overlong } from "./length";
import { Tools } from "./Tools";

/** What a person has written and chosen. projectId: null is the active project, empty none. */
export interface Wish {
  readonly text: string;
  readonly level: AccuracyLevel;
  readonly members: readonly string[];
  readonly attachments: readonly string[];
  readonly projectId: string | null;
  readonly temporary: boolean;
}

interface ComposerProps {
  /** Under which the draft is kept: a conversation, or NEW. */
  draft: string;
  /** Where a level that is chosen by hand holds, if not under the draft's name. */
  levelOf?: string;
  placeholder: string;
  /** Whether a conversation begins here: then it may join a project, or be temporary. */
  beginning: boolean;
  /** What can be done with what runs here; null while nothing runs. */
  going: Going | null;
  /** Sends it. Resolves to whether it was taken; else the words stay. */
  onSend: (wish: Wish) => Promise<boolean>;
  box?: RefObject<HTMLTextAreaElement | null>;
  /** What stands above the box: that a question is being reworded. */
  note?: ReactNode;
  sendLabel?: string;
}

/** The box in which a question is written, with everything that is chosen for it. */
export function Composer(props: ComposerProps) {
  const { draft, placeholder, beginning, going, onSend, note, sendLabel = en.composer.send } = props;
  const keys = useId();
  const own = useRef<HTMLTextAreaElement>(null);
  const box = props.box ?? own;
  const [text, setText] = useDraft(draft);
  const [level, chooseLevel] = useLevel(props.levelOf ?? draft, beginning);
  const [others, setOthers] = useState({ members: [] as readonly string[], projectId: null as string | null, temporary: false });
  const choice = { ...others, level };
  const [sending, setSending] = useState(false);
  const underway = useRef(false);
  const { files, add, remove, clear } = useAttachments();
  const dropping = useDropping(add);
  const over = overlong(text);
  const uploading = files.some((each) => !each.done && !each.problem);
  const ready = text.trim() !== "" && over <= 0 && !uploading && !sending;
  const submit = async () => {
    if (going) announce(en.composer.running);
    // Two presses may come before either is drawn.
    if (!ready || going || underway.current) return;
    underway.current = true;
    setSending(true);
    const attachments = files.flatMap((each) => (each.done ? [each.done.id] : []));
    const taken = await onSend({ ...choice, text: text.trim(), attachments }).finally(() => {
      underway.current = false;
      setSending(false);
    });
    if (!taken) return;
    setText("");
    clear();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className={dropping.over ? "composer composer-drop" : "composer"}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      {...dropping.handlers}
    >
      {note}
      <FileChips files={files} onRemove={remove} />
      <TextArea
        ref={box}
        className="composer-box"
        aria-label={en.composer.label}
        aria-describedby={keys}
        placeholder={placeholder}
        value={text}
        aria-invalid={over > 0 || undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return;
          event.preventDefault();
          add([...event.clipboardData.files]);
        }}
      />
      <p id={keys} className="visually-hidden">
        {en.composer.keys}
      </p>
      {over > 0 && (
        <p className="field-error" role="alert">
          {en.composer.tooLong(over)}
        </p>
      )}
      <Tools
        text={text}
        choice={choice}
        beginning={beginning}
        ready={ready}
        sending={sending || uploading}
        sendLabel={sendLabel}
        going={going}
        onFiles={add}
        onChoose={({ level: next, ...news }) => {
          if (next) chooseLevel(next);
          setOthers((before) => ({ ...before, ...news }));
        }}
      />
      {dropping.over && (
        <div className="composer-dropping">
          <Icon name="attach" />
          {en.composer.drop}
        </div>
      )}
    </form>
  );
}

/** The text of the box, kept in this tab until it is sent. */
function useDraft(draft: string): [string, (text: string) => void] {
  const [kept, setKept] = useState({ draft, text: readDraft(draft) });
  if (kept.draft !== draft) setKept({ draft, text: readDraft(draft) });
  const set = (text: string) => {
    keepDraft(draft, text);
    setKept({ draft, text });
  };
  return [kept.text, set];
}

/** Files dragged over the box. Leaving one part of it for another is no leaving: the depth is counted. */
function useDropping(add: (files: readonly File[]) => void) {
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  useEffect(() => {
    // A file dropped beside the box would replace the page.
    const keep = (event: DragEvent) => event.preventDefault();
    window.addEventListener("dragover", keep);
    window.addEventListener("drop", keep);
    return () => {
      window.removeEventListener("dragover", keep);
      window.removeEventListener("drop", keep);
    };
  }, []);
  const move = (by: number) => {
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  const handlers = {
    onDragEnter: () => move(1),
    onDragLeave: () => move(-1),
    onDrop: (event: ReactDragEvent) => {
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      add([...event.dataTransfer.files]);
    },
  };
  return { over, handlers };
}
