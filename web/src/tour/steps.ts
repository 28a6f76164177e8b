import { en } from "../strings/en";

export interface Step {
  readonly key: keyof typeof en.welcome.steps;
  /** The element that the step is about, where it is in sight now. */
  readonly find: () => Element | null;
}

/** The five places of the tour. What a step points at is found by what a person reads there. */
export const STEPS: readonly Step[] = [
  { key: "ask", find: () => seen("form.composer") },
  { key: "answer", find: () => seen(".answer .facts") },
  { key: "wrong", find: () => seen(".answer .actions button", en.answer.actions.wrong) },
  { key: "search", find: () => seen("nav button", en.shell.search) },
  { key: "hood", find: () => seen("nav a[href^='/hood']") },
];

/** The last element in sight that matches and holds the words: of several answers the newest. */
function seen(selector: string, words = ""): Element | null {
  const found = [...document.querySelectorAll(selector)];
  return found.findLast((element) => element.getClientRects().length > 0 && element.textContent.includes(words)) ?? null;
}
