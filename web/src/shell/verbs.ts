import { en } from "../strings/en";
import type { IconName } from "../ui/icons";

/** The places of the app, in the order in which they stand. A verb stands here once its page works. */
export const VERBS = [
  { key: "ask", to: "/", icon: "ask", label: en.pages.ask },
  { key: "memory", to: "/memory", icon: "memory", label: en.pages.memory },
  { key: "hood", to: "/hood", icon: "hood", label: en.pages.hood },
] as const satisfies readonly { key: string; to: string; icon: IconName; label: string }[];
