/** The words of the conversation list. */
export const listWords = {
  newBelow: "New text below",
  toEnd: "To the end",
  earlierFailed: "Earlier messages could not be loaded.",
  retry: "Try again",
  notPrinted: "What was said before is not in this print: it was not loaded.",
  findNote: "Only the messages around this place are in the page. Ctrl or Cmd + K searches all of them.",
} as const;
