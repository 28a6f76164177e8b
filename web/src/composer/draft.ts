/** What is written and not yet sent. Session storage is the tab's own and ends with it; content goes nowhere else. */
const PREFIX = "auritas.draft.";
/** The draft of a conversation that has not begun. */
export const NEW = "new";

export function readDraft(conversation: string): string {
  try {
    return sessionStorage.getItem(PREFIX + conversation) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(conversation: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(PREFIX + conversation);
    else sessionStorage.setItem(PREFIX + conversation, text);
  } catch {
    // A browser that stores nothing loses the draft with the page; everything else works.
  }
}
