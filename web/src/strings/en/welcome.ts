import { count } from "../numbers";

/** Strings of the first page, the tour and the import of earlier conversations. */
export const welcome = {
  title: "A council of your own",
  sentence: "Several models answer you at once. You see who agreed, how sure they are, and why.",
  local: (members: number) => `${count(members, "member")} on this machine. Nothing leaves it.`,
  mixed: (members: number, away: number) =>
    `${count(members, "member")}, ${away} of them elsewhere: what you ask them leaves this machine.`,
  none: "No model is here yet.",
  noneText:
    "Fetch a set of open models once; after that no network is needed. Or add a model that you use elsewhere.",
  try: "Try it here",
  tryHint: "A question runs on this page.",
  samples: ["What is 17 % of 2,340?", "What is the capital of Australia?", "Why does bread rise, in two sentences?"],
  goOn: "Go on in this conversation",
  start: "Ask something of your own",
  then: "Then, if you like",
  add: "Add a model",
  bigger: "Better answers come from bigger models",
  biggerText:
    "The small models that come with Auritas are for trying it out, and for what must not leave this machine. Add a bigger one that runs here with Ollama, or one of a provider you have a key for, anything that speaks like OpenAI included.",
  bring: "Bring in earlier chats",
  bringText: "An export of ChatGPT or Claude (.zip or .json). It is read here and can be searched and resumed.",
  choose: "Choose a file",
  sending: "Reading the file…",
  importing: "Reading in conversations",
  imported: "Read in.",
  importStopped: "Stopped. What has landed stays; the same file adds the rest later.",
  importTooLarge: "This file is larger than 1 GB. Use a terminal instead: auritas import FILE",
  tour: "Take the tour",
  tourText: "Five places, one minute. Escape ends it.",
  begin: "Begin the tour",
  tourLabel: "Tour",
  step: (at: number, of: number) => `${at} of ${of}`,
  next: "Next",
  back: "Back",
  end: "End the tour",
  finish: "Done",
  notHere: "You will find it there once there is something.",
  steps: {
    ask: {
      title: "Ask",
      text: "Write here; Enter sends. The level says how many members are asked, and what it takes, beforehand.",
    },
    answer: {
      title: "The line under an answer",
      text: "How sure the council is and on what basis, who agreed, what the reviewer says, what it took, and how it is proved.",
    },
    wrong: {
      title: "That's wrong",
      text: "Correct it once and it stays corrected. Only your own words become a memory without asking.",
    },
    search: {
      title: "Search",
      text: "Everything that was ever said, as you type. Works from everywhere with its keys.",
    },
    hood: {
      title: "Under the hood",
      text: "Who was right about what, what left this machine, and a log that can be verified.",
    },
  },
} as const;
