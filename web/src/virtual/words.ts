/** The words of the conversation list. */
export const listWords = {
  newBelow: "New text below",
  toEnd: "To the end",
  findNote: "Only the messages around this place are in the page. Ctrl or Cmd + K searches all of them.",
} as const;
