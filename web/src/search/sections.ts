import type { IconName } from "../ui/icons";
import { askedOf } from "../claim/words";
import { en } from "../strings/en";
import type { Command } from "./commands";
import { fitting } from "./commands";
import type { Entry, Found, Meant } from "./found";
import { aroundFirst, holds, marked, markedWords, type Piece, plain, textOf } from "./pieces";
import { wordsOf } from "./typed";

/** Where a choice leads, or what it does. */
export type Deed =
  | { readonly kind: "command"; readonly run: () => void }
  | { readonly kind: "conversation"; readonly id: string; readonly message: string | null }
  | { readonly kind: "memory"; readonly id: string }
  | { readonly kind: "type"; readonly text: string };

/** One line that can be chosen. at: ISO 8601. */
export interface Choice {
  readonly id: string;
  readonly icon: IconName;
  readonly title: readonly Piece[];
  readonly snippet?: readonly Piece[];
  readonly note?: string;
  readonly at?: string;
  readonly deed: Deed;
}

export interface Section {
  readonly key: keyof typeof en.search.sections;
  readonly choices: readonly Choice[];
}

interface Given {
  readonly text: string;
  readonly recent: readonly string[];
  readonly values: readonly Choice[];
  readonly commands: readonly Command[];
  readonly found: Found | undefined;
  readonly memories: readonly Entry[];
  readonly meant: readonly Meant[];
  /** Titles of conversations by id. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Everything that can be chosen, in the order in which it is shown; empty sections are left out. */
export function sectionsOf(given: Given): readonly Section[] {
  const words = wordsOf(given.text);
  const empty = given.text.trim() === "";
  const all: readonly Section[] = [
    { key: "filter", choices: given.values },
    { key: "recent", choices: empty ? given.recent.map(recentChoice) : [] },
    { key: "commands", choices: empty || words.length > 0 ? fitting(given.commands, words).map(commandChoice) : [] },
    { key: empty ? "newest" : "conversations", choices: conversations(given.found) },
    { key: "messages", choices: [...messages(given), ...passages(given, words, true)] },
    { key: "memory", choices: given.memories.map((each) => memoryChoice(each, words)) },
    { key: "meaning", choices: passages(given, words, false) },
  ];
  return all.filter((section) => section.choices.length > 0);
}

function recentChoice(text: string): Choice {
  return { id: `recent ${text}`, icon: "retry", title: plain(text), deed: { kind: "type", text } };
}

function commandChoice({ key, icon, run }: Command): Choice {
  return { id: `command ${key}`, icon, title: plain(en.search.commands[key]), deed: { kind: "command", run } };
}

function conversations(found: Found | undefined): readonly Choice[] {
  return (found?.conversations ?? []).map((hit) => ({
    id: `conversation ${hit.conversation_id}`,
    icon: "ask",
    title: textOf(hit.title) === "" ? plain(en.search.untitled) : hit.title,
    snippet: hit.snippet,
    at: hit.at,
    deed: { kind: "conversation", id: hit.conversation_id, message: hit.message_id },
  }));
}

function messages({ found, titles }: Given): readonly Choice[] {
  return (found?.messages ?? []).map((hit) => ({
    id: `message ${hit.message_id}`,
    icon: "right",
    title: aroundFirst(hit.snippet),
    note: [en.search.roles[hit.role] ?? hit.role, titles.get(hit.conversation_id) ?? ""].filter(Boolean).join(" · "),
    at: hit.at,
    deed: { kind: "conversation", id: hit.conversation_id, message: hit.message_id },
  }));
}

function memoryChoice({ correction }: Entry, words: readonly string[]): Choice {
  const asked = askedOf(correction);
  return {
    id: `memory ${correction.id}`,
    icon: correction.pinned ? "pin" : "memory",
    title: marked(correction.claim, [words.join(" ")]),
    ...(asked === "" ? {} : { snippet: marked(en.memory.asked(asked), [words.join(" ")]) }),
    note: en.memory.types[correction.type],
    at: correction.created_at,
    deed: { kind: "memory", id: correction.id },
  };
}

/**
 * What was found by meaning, without what the words have found already. While one types, the server looks for no single
 * messages: a passage that holds all the words is one of them. literal: those that do, or those that do not.
 */
function passages({ found, meant }: Given, words: readonly string[], literal: boolean): readonly Choice[] {
  const shown = new Set([
    ...(found?.messages ?? []).map((each) => each.message_id),
    ...(found?.conversations ?? []).map((each) => each.message_id),
  ]);
  return meant
    .filter(({ passage }) => !shown.has(passage.message_id) && holds(passage.text, words) === literal)
    .map(({ passage, title }) => ({
      id: `meant ${passage.message_id}`,
      icon: "right",
      title: aroundFirst(markedWords(passage.text, words)),
      note: title || en.search.untitled,
      at: passage.said_at,
      deed: { kind: "conversation", id: passage.conversation_id, message: passage.message_id },
    }));
}
