/** The names of the pages: their headings and the titles of their tabs. */
export const pages = {
  ask: "Ask",
  conversation: "Conversation",
  disagreement: "Disagreement",
  memory: "Memory",
  hood: "Under the hood",
  settings: "Settings",
  unlock: "Unlock",
  welcome: "Welcome",
  closed: "Open Auritas",
  notFound: "Nothing here",
} as const;
