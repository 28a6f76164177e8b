import { en } from "../../strings/en";
import { integer } from "../../strings/numbers";
import type { Setting, Value } from "./requests";

/** The parts of the page, in the order of their tabs. */
export const SECTIONS = ["models", "answers", "memory", "notes", "privacy", "access", "appearance", "about", "panic"] as const;
export type Section = (typeof SECTIONS)[number];

export interface Group {
  readonly name: keyof typeof en.settings.groups;
  readonly keys: readonly string[];
}

/** Which setting stands where. What stands nowhere else is shown under About. */
export const GROUPS: Readonly<Partial<Record<Section, readonly Group[]>>> = {
  models: [{ name: "engine", keys: ["threads_per_model", "model_memory_mb", "models", "model_dir", "proxy"] }],
  answers: [
    { name: "levels", keys: ["level", "chat_level"] },
    { name: "choosing", keys: ["policy", "reviewer", "unsure_below", "when_unsure"] },
    { name: "limits", keys: ["deadline_s", "max_tokens"] },
    { name: "budgets", keys: ["question_tokens", "question_micros", "day_tokens", "day_micros"] },
  ],
  memory: [
    { name: "injection", keys: ["injection", "memory_tokens", "memory_threshold", "recall"] },
    { name: "detection", keys: ["detection_threshold", "validation"] },
  ],
  notes: [
    { name: "notes", keys: ["notes", "notes_elsewhere", "note_messages", "note_window_share"] },
    { name: "recovery", keys: ["recovery"] },
  ],
  about: [{ name: "place", keys: ["home", "zone", "passphrase_file", "debug"] }],
};

const PLACED = new Set(Object.values(GROUPS).flatMap((groups) => groups.flatMap((group) => group.keys)));

/** The groups of a part with the settings in them. */
export function groupsOf(section: Section, settings: readonly Setting[]): readonly { name: Group["name"]; lines: readonly Setting[] }[] {
  const byKey = new Map(settings.map((line) => [line.key, line]));
  const groups = (GROUPS[section] ?? []).map((group) => ({
    name: group.name,
    lines: group.keys.flatMap((key) => byKey.get(key) ?? []),
  }));
  const others = section === "about" ? settings.filter((line) => !PLACED.has(line.key)) : [];
  return [...groups, { name: "further" as const, lines: others }].filter((group) => group.lines.length > 0);
}

export function nameOf(key: string): string {
  return en.settings.names[key] ?? key.replaceAll("_", " ");
}

export function explanationOf(line: Setting): string {
  return en.settings.explanations[line.key] ?? line.explanation;
}

/** Amounts of money are kept in millionths and typed in whole units. */
const MICROS = 1_000_000;

function isMoney(key: string): boolean {
  return key.endsWith("_micros");
}

/** A value as it stands in its box. */
export function typed(line: Setting, value: Value): string {
  if (value === null) return "";
  return isMoney(line.key) && typeof value === "number" ? String(value / MICROS) : String(value);
}

/** A value as a person reads it in a sentence. */
export function spoken(line: Setting, value: Value): string {
  const words = en.settings;
  if (value === null || value === "") return line.key === "reviewer" ? words.bestReviewer : words.empty;
  if (typeof value === "boolean") return value ? words.on : words.off;
  if (line.kind === "whole" && typeof value === "number" && !isMoney(line.key)) return integer(value);
  if (line.kind === "choice") return words.choices[String(value)] ?? String(value);
  return typed(line, value);
}

/** What was typed as a value of its setting; undefined where it is none. An empty box means the default. */
export function valueOf(line: Setting, text: string): Value | undefined {
  const plain = text.trim();
  if (plain === "") return null;
  if (line.kind !== "whole" && line.kind !== "number") return plain;
  const number = Number(plain.replace(",", "."));
  const value = isMoney(line.key) ? Math.round(number * MICROS) : number;
  const whole = line.kind === "number" || Number.isSafeInteger(value);
  return Number.isFinite(value) && whole && within(line, value) ? value : undefined;
}

function within({ minimum, maximum }: Setting, value: number): boolean {
  return (minimum === null || value >= minimum) && (maximum === null || value <= maximum);
}

/** The value that goes back to what was: null where it was the default. */
export function before(line: Setting): Value {
  return line.origin === "default" ? null : line.value;
}
