import { useState } from "react";
import type { Schemas } from "../../api/client";
import { Markdown } from "../../markdown";
import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { ErrorState, Skeleton } from "../../ui/states";
import { RelativeTime } from "../../ui/words";
import { useMakeRecovery, useRecovery, useWriting } from "./notes";
import { Problem } from "./Problem";
import { shown } from "../../markdown/text";
import "./notes.css";

/** What each member is told about the person when a conversation begins. */
export function Recovery() {
  const words = en.memory.recovery;
  const recovery = useRecovery();
  return (
    <section className="memory-part" aria-labelledby="recovery">
      <h2 id="recovery">{words.title}</h2>
      <p className="soft">{words.text}</p>
      {recovery.isPending && <Skeleton lines={3} />}
      {recovery.isError && <ErrorState error={recovery.error} onRetry={() => void recovery.refetch()} />}
      {recovery.data?.length === 0 && <p className="soft">{words.empty}</p>}
      <ul className="memory-seats">
        {recovery.data?.map((each) => (
          <Seat key={each.seat} view={each} />
        ))}
      </ul>
    </section>
  );
}

function Seat({ view }: { view: Schemas["RecoveryView"] }) {
  const words = en.memory.recovery;
  const { seat, prompt } = view;
  const [run, setRun] = useState<string | null>(null);
  const make = useMakeRecovery();
  const writing = useWriting(run, () => announce(words.made(seat)));
  const busy = make.isPending || writing.going;
  return (
    <li className="memory-seat">
      <div className="memory-part-head">
        <h3>{shown(seat)}</h3>
        <Button
          size="s"
          busy={busy}
          aria-label={words.makeLabel(shown(seat))}
          onClick={() => make.mutate(seat, { onSuccess: ({ id }) => setRun(id) })}
        >
          {words.make}
        </Button>
      </div>
      <p className="memory-facts" role="status">
        <span>{busy ? words.making : standing(view)}</span>
        {prompt && (
          <span>
            <RelativeTime at={prompt.generated_at} />
          </span>
        )}
        {!view.local && <span>{words.away}</span>}
      </p>
      {writing.problem && <Problem problem={writing.problem} />}
      {prompt && (
        <div className="memory-note-text">
          <Markdown text={prompt.text} />
        </div>
      )}
    </li>
  );
}

function standing({ prompt, stale }: Schemas["RecoveryView"]): string {
  const words = en.memory.recovery;
  if (!prompt) return words.never;
  return stale ? words.stale : words.current;
}
