/** Strings of the search palette. */
export const search = {
  title: "Search",
  placeholder: "Search everything said and remembered",
} as const;
