import { useNavigate } from "@tanstack/react-router";
import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useConversations } from "../api/conversations";
import { en } from "../strings/en";
import { useFocusBack } from "../ui/focus";
import { IconButton } from "../ui/IconButton";
import { Icon } from "../ui/icons";
import "../ui/overlay.css";
import { useCommands } from "./commands";
import { isNothing, useLetters, useMeaning, useMemories, useWords } from "./found";
import { Foot } from "./Foot";
import { Notes, Status } from "./Notes";
import { noteSearch, recentSearches } from "./recent";
import { Results } from "./Results";
import "./search.css";
import { type Choice, sectionsOf } from "./sections";
import { begun } from "./typed";
import { useValues } from "./values";

/** The server takes no longer searches. */
const LONGEST = 1_000;

/** Search over everything, above whatever page is open. */
export default function SearchPalette({ onClose }: { onClose: () => void }) {
  const words = en.search;
  const [typed, setTyped] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const list = useId();
  const focus = useFocusBack();
  const results = useResults(typed);
  const choose = useChoosing(onClose, typed, (next) => {
    setTyped(next);
    box.current?.focus();
  });
  const { active, press } = useKeys(results.choices, results.settled, choose);
  const { sections, found } = results;
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className="palette" aria-describedby={undefined} {...focus}>
          <Radix.Title className="visually-hidden">{words.title}</Radix.Title>
          <div className="palette-head">
            <Icon name="search" />
            <input
              ref={box}
              className="palette-box"
              type="text"
              role="combobox"
              aria-label={words.placeholder}
              aria-expanded={sections.length > 0}
              aria-controls={list}
              aria-autocomplete="list"
              aria-activedescendant={active ? `${list} ${active.id}`.replaceAll(" ", "-") : undefined}
              autoComplete="off"
              spellCheck={false}
              maxLength={LONGEST}
              placeholder={words.placeholder}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={press}
            />
            <Radix.Close asChild>
              <IconButton icon="close" label={words.close} tip={false} />
            </Radix.Close>
          </div>
          <div className="palette-body">
            <Notes results={results} typed={typed} />
            <Results list={list} sections={sections} active={active?.id ?? ""} onChoose={choose} />
          </div>
          <Foot onFilter={(filter) => { setTyped(begun(typed, filter)); box.current?.focus(); }} />
          <Status text={typed} settled={results.settled} found={found} memories={results.memories.length} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Everything found for what is typed. Commands and what was searched before need no server. */
function useResults(typed: string) {
  const text = useLetters(typed);
  const looked = useWords(text);
  const memories = useMemories(text);
  const meaning = useMeaning(typed);
  const values = useValues(typed);
  const commands = useCommands();
  const conversations = useConversations();
  const titles = useMemo(
    () => new Map((conversations.data ?? []).map((each) => [each.id, each.title])),
    [conversations.data],
  );
  const [recent] = useState(recentSearches);
  const { found, error } = looked;
  const sections = sectionsOf({
    text: typed,
    recent,
    values,
    commands,
    found: error ? undefined : found,
    memories,
    meant: meaning.passages,
    titles,
  });
  const choices = sections.flatMap((section) => section.choices);
  const settled = text === typed && (looked.settled || error !== null);
  const nothing = settled && found !== undefined && isNothing(found) && memories.length === 0 && !sections.some((each) => each.key === "messages");
  return { ...looked, sections, choices, settled, nothing, memories, meaning };
}

export type SearchResults = ReturnType<typeof useResults>;

/** Does what a choice is for, and closes; one that only fills in words leaves the palette open. */
function useChoosing(onClose: () => void, typed: string, onType: (text: string) => void) {
  const navigate = useNavigate();
  return ({ deed }: Choice) => {
    if (deed.kind === "type") {
      onType(deed.text);
      return;
    }
    if (deed.kind !== "command") noteSearch(typed);
    onClose();
    if (deed.kind === "command") deed.run();
    else if (deed.kind === "memory") void navigate({ to: "/memory/$id", params: { id: deed.id } });
    else {
      const search = deed.message === null ? {} : { message: deed.message };
      void navigate({ to: "/c/$id", params: { id: deed.id }, search });
    }
  };
}

/** Which choice the arrow keys are at, and what keys do. Enter waits for what was typed last to be found. */
function useKeys(choices: readonly Choice[], settled: boolean, choose: (choice: Choice) => void) {
  const [at, setAt] = useState("");
  const entered = useRef(false);
  const index = Math.max(0, choices.findIndex((each) => each.id === at));
  const active = choices[index];
  useEffect(() => {
    if (!settled || !entered.current) return;
    entered.current = false;
    if (active) choose(active);
  });
  const move = (to: number) => setAt(choices[(to + choices.length) % choices.length]?.id ?? "");
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: Math.min(index + 5, choices.length - 1),
      PageUp: Math.max(index - 5, 0),
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (choices.length > 0) move(to);
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      if (settled && active) choose(active);
      else entered.current = !settled;
      return;
    }
    // What is typed next begins again with the first choice.
    if (event.key.length === 1 || event.key === "Backspace") setAt("");
    entered.current = false;
  };
  return { active, press };
}
