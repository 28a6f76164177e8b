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

/** Lets go of everything that was written in one conversation, rewordings included; of all without one. */
export function forgetDrafts(conversation = ""): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX + conversation)) sessionStorage.removeItem(key);
  } catch {
    // A browser that stores nothing has nothing to let go of.
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
