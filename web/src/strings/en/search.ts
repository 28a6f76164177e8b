import { count } from "../numbers";

/** Strings of the search palette. */
export const search = {
  title: "Search",
  placeholder: "Search everything said and remembered",
  close: "Close search",
  results: "Results",
  loading: "Searching…",
  sections: {
    recent: "Recent searches",
    filter: "Narrow down",
    commands: "Commands",
    newest: "Newest conversations",
    conversations: "Conversations",
    messages: "Messages",
    memory: "Memory",
    meaning: "By meaning",
  },
  /** Other words by which a command is found. */
  also: { ask: "new chat conversation start", temporary: "incognito private new chat", memory: "remembered corrections", settings: "preferences options" } as Readonly<
    Record<string, string>
  >,
  commands: {
    ask: "New question",
    temporary: "Temporary chat",
    memory: "Memory",
    notes: "Notes of the members",
    hood: "Under the hood",
    audit: "Audit log",
    usage: "Usage and cost",
    settings: "Settings",
    light: "Light theme",
    dark: "Dark theme",
    system: "Theme as the system has it",
    rebuild: "Rebuild the search index",
  },
  rebuilding: "The index is being built anew. What is indexed serves meanwhile.",
  roles: { user: "You", assistant: "Answer", system: "System", tool: "Tool" } as Readonly<Record<string, string>>,
  untitled: "Untitled",
  remembered: "remembered",
  near: {
    words: "",
    parts: "Nothing holds the whole word; these hold its parts.",
    stems: "These hold other forms of the words.",
    spelling: (words: string) => `Nothing holds this. Searched for “${words}”.`,
    titles: "Nothing holds this. These titles are alike.",
  },
  more: "There are more. Another word narrows it down.",
  none: (text: string) => `Nothing was found for “${text}”.`,
  noneButMeaning: (text: string) => `Nothing holds the words “${text}”. What follows is only near them in meaning.`,
  noneRemedy: "Try fewer or other words. What was said in temporary chats is not kept.",
  meaningNone: "By meaning nothing else was found.",
  meaningFailed: "Search by meaning does not work here.",
  hint: "Narrow down with",
  filters: {
    project: "project:",
    model: "model:",
    domain: "domain:",
    before: "before:",
    after: "after:",
  },
  filterHints: {
    project: "only what was said in a project",
    model: "only where this model answered",
    domain: "only questions of a field",
    before: "only what was said before a day",
    after: "only what was said since a day",
  },
  insert: (filter: string, what: string) => `Insert ${filter} ${what}`,
  days: { today: "today", week: "a week ago", month: "a month ago", year: "a year ago" },
  status: (conversations: number, messages: number, memories: number) =>
    [
      count(conversations, "conversation"),
      count(messages, "message"),
      memories > 0 ? `${memories} remembered` : "",
    ]
      .filter(Boolean)
      .join(", "),
  health: {
    waiting: (n: number) => `${count(n, "conversation")} ${n === 1 ? "is" : "are"} still being indexed.`,
    rebuilding: "The index is being built anew; new things may be missing.",
    ill: "The index is not whole; some things may be missing.",
    dead: "The index is not kept up: its worker has stopped.",
    rebuild: "Rebuild",
  },
  keys: { move: "move", open: "open", close: "close" },
} as const;
