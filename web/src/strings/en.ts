/** Every visible string of the app, by the part that shows it. Parts live in en/, so that each page edits its own. */
import { answer } from "./en/answer";
import { api } from "./en/api";
import { ask, conversation } from "./en/ask";
import { composer } from "./en/composer";
import { failures } from "./en/failures";
import { hood } from "./en/hood";
import { memory } from "./en/memory";
import { pages } from "./en/pages";
import { welcome } from "./en/welcome";
import { unlock } from "./en/unlock";
import { settings } from "./en/settings";
import { models } from "./en/models";
import { keeping } from "./en/keeping";
import { search } from "./en/search";
import { shell } from "./en/shell";
import { ui } from "./en/ui";
import { bars, disagreement, proof, why } from "./en/why";

export const en = { welcome, unlock, settings, models, keeping, memory, answer, api, ask, composer, conversation, failures, hood, pages, search, shell, ui, bars, disagreement, proof, why } as const;
