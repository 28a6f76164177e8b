/** Every visible string of the app, by the part that shows it. Parts live in en/, so that each page edits its own. */
import { answer } from "./en/answer";
import { api } from "./en/api";
import { ask, conversation } from "./en/ask";
import { composer } from "./en/composer";
import { pages } from "./en/pages";
import { search } from "./en/search";
import { shell } from "./en/shell";
import { ui } from "./en/ui";
import { why } from "./en/why";

export const en = { answer, api, ask, composer, conversation, pages, search, shell, ui, why } as const;
