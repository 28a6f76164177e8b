/** Strings of the drawer that tells the reasons of one decision. */
export const why = {
  title: "Why?",
} as const;
