import { en } from "../../../strings/en";
import { Badge, type Tone } from "../../../ui/Badge";

const words = en.hood.audit;
const TONES: Readonly<Record<string, Tone>> = { signed: "agree", witnessed: "agree", posted: "agree" };

/** How much stands behind an entry or a checkpoint. */
export function Level({ level }: { level: string }) {
  return <Badge tone={TONES[level] ?? "neutral"}>{words.levels[level] ?? level}</Badge>;
}
