import { en } from "../strings/en";
import { ApiError } from "../api/errors";
import { Button } from "../ui/Button";
import { type Found, useDebounced, useHealth, type Health } from "./found";
import { useRebuild } from "./commands";
import type { SearchResults } from "./index";
import { shown } from "../markdown/text";

/** What must be known about the results: that they are for other words, that there are none, or that something fails. */
export function Notes({ results, typed }: { results: SearchResults; typed: string }) {
  const { found, error, nothing, retry } = results;
  return (
    <>
      <HealthNote />
      {error && <FailureNote error={error} onRetry={retry} />}
      {!error && found && typed.trim() !== "" && !nothing && <Near found={found} />}
      {!error && nothing && typed.trim() !== "" && (
        <div className="palette-info">
          {results.meaning.passages.length > 0 ? (
            <p>{en.search.noneButMeaning(typed.trim())}</p>
          ) : (
            <>
              <p>{en.search.none(typed.trim())}</p>
              <p className="soft">{en.search.noneRemedy}</p>
            </>
          )}
        </div>
      )}
    </>
  );
}

function Near({ found }: { found: Found }) {
  const text = nearWords(found);
  if (text === "" && !found.more) return null;
  return <p className="palette-info soft">{[text, found.more ? en.search.more : ""].filter(Boolean).join(" ")}</p>;
}

/** How far the results are from what was typed, in words. */
export function nearWords({ near, instead }: Pick<Found, "near" | "instead">): string {
  const words = en.search.near;
  return near === "spelling" ? words.spelling(instead.join(" ")) : words[near];
}

function FailureNote({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const known = error instanceof ApiError;
  return (
    <div className="palette-info" role="alert">
      <p>{shown(error.message) || en.ui.failed}</p>
      {known && error.remedy && <p className="soft">{error.remedy}</p>}
      {(!known || error.passing) && (
        <Button size="s" icon="retry" onClick={onRetry}>
          {en.ui.retry}
        </Button>
      )}
    </div>
  );
}

/** How the index stands, where that matters to what is found. */
function HealthNote() {
  const { data: health } = useHealth();
  const rebuild = useRebuild();
  if (!health) return null;
  const text = healthWords(health);
  if (text === "") return null;
  const ill = isIll(health) && !health.rebuilding;
  return (
    <div className="palette-info palette-health">
      <p className="soft">{text}</p>
      {ill && (
        <Button size="s" onClick={rebuild}>
          {en.search.health.rebuild}
        </Button>
      )}
    </div>
  );
}

function isIll({ stuck, missing, extra, sound }: Health): boolean {
  return stuck + missing + extra > 0 || !sound;
}

export function healthWords(health: Health): string {
  const words = en.search.health;
  if (health.rebuilding) return words.rebuilding;
  if (isIll(health)) return words.ill;
  if (health.worker === "dead") return words.dead;
  return health.waiting > 0 ? words.waiting(health.waiting) : "";
}

/** Milliseconds of rest after which the counts are read out. */
const REST = 600;

interface StatusProps {
  text: string;
  settled: boolean;
  found: Found | undefined;
  memories: number;
}

/** Says once to those who listen what came of it. It stands in the dialog: what is outside is not heard meanwhile. */
export function Status({ text, settled, found, memories }: StatusProps) {
  const said = settled && found && text.trim() !== "" ? sayWords(text, found, memories) : "";
  const rested = useDebounced(said, REST);
  return (
    <p className="visually-hidden" role="status">
      {rested === said ? rested : ""}
    </p>
  );
}

function sayWords(text: string, found: Found, memories: number): string {
  const { conversations, messages } = found;
  if (conversations.length + messages.length + memories === 0) return en.search.none(text.trim());
  return [nearWords(found), en.search.status(conversations.length, messages.length, memories)].filter(Boolean).join(" ");
}
