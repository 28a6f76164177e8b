import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { AnswerDialogs } from "../../answer/AnswerDialogs";
import { useSay } from "../../answer/asking";
import { useStop } from "../../answer/requests";
import { useLevel } from "../../composer/choices";
import { NEW } from "../../composer/draft";
import { useRun } from "../../streams/hooks";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import "../ask/ask.css";
import "../conversation/conversation.css";
import { LiveRow } from "../conversation/LiveRow";

const words = en.welcome;

/** A question that is asked right here. onConversation: told where it was kept. */
export function Sample({ onConversation }: { onConversation: (id: string) => void }) {
  const { mutate: say, isPending } = useSay();
  const { mutate: stop } = useStop();
  const [level] = useLevel(NEW, true);
  const [asked, setAsked] = useState<{ readonly run: string; readonly text: string } | null>(null);
  const run = useRun(asked?.run ?? null);
  const conversation = run?.conversationId ?? null;
  useEffect(() => {
    if (conversation !== null) onConversation(conversation);
  }, [conversation, onConversation]);
  const ask = (text: string) =>
    say({ text, conversationId: conversation, level }, { onSuccess: ({ id }) => setAsked({ run: id, text }) });
  const again = () => {
    if (asked) ask(asked.text);
  };
  const going = isPending || run?.state === "running";
  return (
    <>
      <p className="soft">{words.tryHint}</p>
      <ul className="welcome-samples">
        {words.samples.map((sample) => (
          <li key={sample}>
            <button type="button" className="ask-sample" disabled={going} onClick={() => ask(sample)}>
              {sample}
            </button>
          </li>
        ))}
      </ul>
      {asked && (
        <div className="welcome-answer">
          <AnswerDialogs>
            <LiveRow again={null} runId={asked.run} asks acts={{ onRetry: again, onSay: ask }} onAgain={ask} />
          </AnswerDialogs>
          <div className="form-row">
            {run?.state === "running" && (
              <Button size="s" icon="stop" onClick={() => stop(asked.run)}>
                {en.models.stop}
              </Button>
            )}
            {run && run.state !== "running" && conversation !== null && (
              <Link className="button button-secondary button-s" to="/c/$id" params={{ id: conversation }}>
                {words.goOn}
              </Link>
            )}
          </div>
        </div>
      )}
    </>
  );
}
