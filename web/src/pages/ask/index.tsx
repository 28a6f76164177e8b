import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { AnswerDialogs } from "../../answer/AnswerDialogs";
import { useSay } from "../../answer/asking";
import { useGoing } from "../../answer/going";
import { useCouncil } from "../../answer/seats";
import { carryLevel, keepLevel } from "../../composer/choices";
import { Composer, type Wish } from "../../composer/Composer";
import { keepDraft, NEW } from "../../composer/draft";
import { endTemporary, noteTemporary } from "../../composer/temporary";
import { Page } from "../../shell/Page";
import { useRun } from "../../streams/hooks";
import { en } from "../../strings/en";
import { Mark } from "../../theme/Mark";
import { LiveRow } from "../conversation/LiveRow";
import { useStopKey } from "../conversation/leaving";
import { FetchModels } from "../settings/models/FetchModels";
import { useNobody } from "../settings/models/requests";
import "../conversation/conversation.css";
import "./ask.css";

/** Where a conversation begins. */
export default function AskPage() {
  const { runId, send, again } = useBeginning();
  const going = useGoing(runId);
  useStopKey(going?.stop ?? null);
  const box = useRef<HTMLTextAreaElement>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) box.current?.focus();
  }, [round]);
  const take = (sample: string) => {
    keepDraft(NEW, sample);
    setRound(round + 1);
  };
  return (
    <Page title={en.pages.ask} titleHidden width="full">
      <div className="ask">
        <div className="ask-stage">
          {runId === null ? (
            <Opening onSample={take} />
          ) : (
            <AnswerDialogs>
              <LiveRow runId={runId} asks again={null} acts={{ onRetry: again, onSay: again }} onAgain={again} />
            </AnswerDialogs>
          )}
        </div>
        <div className="conversation-composer">
          <Composer key={round} draft={NEW} placeholder={en.composer.placeholder} beginning going={going} onSend={send} box={box} />
        </div>
      </div>
    </Page>
  );
}

/** Sends the first question, and goes to its conversation as soon as there is one. */
function useBeginning() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { mutateAsync: say } = useSay();
  const [runId, setRunId] = useState<string | null>(null);
  const [wish, setWish] = useState<Wish | null>(null);
  const conversation = useRun(runId)?.conversationId ?? null;
  const temporary = wish?.temporary === true;
  useEffect(() => void endTemporary(null), []);
  useEffect(() => {
    if (conversation === null) return;
    carryLevel(NEW, conversation);
    keepLevel(NEW, null);
    if (temporary) noteTemporary(conversation);
    else void client.invalidateQueries({ queryKey: ["conversations", "list"] });
    void navigate({ to: "/c/$id", params: { id: conversation } });
  }, [client, conversation, temporary, navigate]);
  const send = async (next: Wish): Promise<boolean> => {
    try {
      const run = await say({ ...next, conversationId: null });
      setWish(next);
      setRunId(run.id);
      return true;
    } catch {
      return false; // The failure was told; the words stay in the box.
    }
  };
  const again = () => {
    if (wish) void send(wish);
  };
  return { runId, send, again };
}

/** What one sees before the first question. */
function Opening({ onSample }: { onSample: (text: string) => void }) {
  const nobody = useNobody();
  return (
    <div className="ask-opening">
      <Mark size={56} />
      <p className="ask-sentence">{en.ask.sentence}</p>
      <CouncilNow nobody={nobody} />
      {nobody !== true && (
        <ul className="ask-samples" aria-label={en.ask.samplesLabel}>
          {en.ask.samples.map((each) => (
            <li key={each}>
              <button type="button" className="ask-sample" onClick={() => onSample(each)}>
                {each}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Who is in the council, and whether anything leaves this machine; where nobody is, the way to models. */
function CouncilNow({ nobody }: { nobody: boolean | undefined }) {
  const { data: members } = useCouncil();
  const words = en.ask.council;
  if (members === undefined || nobody === undefined) return <p className="soft ask-council">{en.ui.loading}</p>;
  const away = members.filter((each) => !each.local).length;
  if (nobody)
    return (
      <div className="ask-nobody">
        <p>{words.none}</p>
        <p className="soft">{words.noneRemedy}</p>
        <FetchModels />
      </div>
    );
  const sentence = away === 0 ? words.local(members.length) : away === members.length ? words.away(away) : words.mixed(members.length, away);
  return <p className="soft ask-council">{sentence}</p>;
}
