import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { EmptyState } from "../../ui/states";
import { useToast } from "../../ui/Toast";
import { useWhy } from "../../why/address";
import { LongText } from "../../why/LongText";
import type { Question } from "../../why/reasons";
import type { Said } from "../../answer/requests";
import { CandidateColumn } from "./CandidateColumn";
import { Followed } from "./Followed";
import { type FieldRecord, graded, marked, recordIn } from "./rates";
import { type Compared, useRates, useSaying } from "./requests";
import { Settle } from "./Settle";
import { Unheard } from "./Unheard";

/** Everything that members said to one question, who said it with what record, and what a person can say to it. */
export function Comparison({ compared, question }: { compared: Compared; question: Question }) {
  const { candidates, unheard } = compared.comparison;
  const { data: rates } = useRates();
  const record = recordIn(question.domains, rates ?? []);
  const { say, take, busy } = useTold();
  return (
    <>
      <Asked question={question} />
      <Followed said={question.said} graded={graded(compared.marks)} record={record} busy={busy} onUndo={take} />
      {candidates.length > 1 ? (
        <SideBySide compared={compared} record={record} busy={busy} onSay={say} />
      ) : (
        <Agreed candidate={candidates[0]} />
      )}
      <Unheard members={unheard} />
    </>
  );
}

interface SideBySideProps {
  compared: Compared;
  record: FieldRecord | null;
  busy: boolean;
  onSay: (said: Said, done?: () => void) => void;
}

/** Candidates that differ, and what can be said of them. */
function SideBySide({ compared, record, busy, onSay }: SideBySideProps) {
  const { candidates, calibrated, effective_votes } = compared.comparison;
  const [merging, setMerging] = useState<readonly string[] | null>(null);
  const question = compared.query_id;
  return (
    <>
      <Legend candidates={candidates.length} calibrated={calibrated} votes={effective_votes} />
      <div className="candidate-columns">
        {candidates.map((each) => (
          <CandidateColumn
            key={each.id}
            candidate={each}
            calibrated={calibrated}
            marks={compared.marks}
            record={record}
            busy={busy}
            onPick={() => onSay({ kind: "pick", question, candidate: each.id })}
            marked={merging?.includes(each.id) ?? null}
            onMark={() => setMerging((before) => marked(before ?? [], each.id))}
          />
        ))}
      </div>
      <Settle question={question} candidates={candidates} merging={merging} onMerging={setMerging} busy={busy} onSay={onSay} />
    </>
  );
}

function Asked({ question }: { question: Question }) {
  const words = en.disagreement;
  const { open } = useWhy();
  const { query_id, conversation_id, message_id, text } = question;
  return (
    <div className="asked">
      <blockquote className="asked-words">
        <LongText text={text} />
      </blockquote>
      <p className="asked-links">
        <Button kind="quiet" size="s" icon="info" onClick={() => open(query_id)}>
          {words.why}
        </Button>
        <Link
          className="button button-quiet button-s"
          to="/c/$id"
          params={{ id: conversation_id }}
          search={message_id ? { message: message_id } : {}}
        >
          <Icon name="ask" size={16} />
          {words.back}
        </Link>
      </p>
    </div>
  );
}

function Legend({ candidates, calibrated, votes }: { candidates: number; calibrated: boolean; votes: number | null }) {
  const words = en.disagreement;
  return (
    <div className="legend">
      <h2>{words.differsTitle(candidates)}</h2>
      <p className="soft">
        <mark className="differs">{words.sample}</mark> {words.legend}{" "}
        {calibrated ? words.calibrated : words.uncalibrated} {votes !== null && words.votes(votes)}
      </p>
    </div>
  );
}

function Agreed({ candidate }: { candidate: Compared["comparison"]["candidates"][number] | undefined }) {
  const words = en.disagreement;
  const voices = candidate?.voices.length ?? 0;
  return (
    <EmptyState icon="check" title={voices > 1 ? words.agreeTitle : words.nothingTitle}>
      {candidate && (
        <p className="agreed-words">
          <LongText text={candidate.text} />
        </p>
      )}
      <p>{voices > 1 ? words.agree(voices) : words.agreeOne}</p>
    </EmptyState>
  );
}

/** Says something or takes it back, and tells that it was noted: aloud once, and in sight where nothing else shows it. */
function useTold() {
  const words = en.disagreement;
  const toast = useToast();
  const { say, undo, busy } = useSaying();
  return {
    busy,
    say: (grade: Said, done?: () => void) =>
      say.mutate(grade, {
        onSuccess: (made) => {
          done?.();
          if (made.already) toast({ text: words.already });
          else announce(`${words.followed(made.words)} ${words.grades(graded(made.marks).length)}`);
        },
      }),
    take: (id: string) =>
      undo.mutate(id, {
        onSuccess: () => {
          announce(words.undone);
          toast({ text: words.undone });
        },
      }),
  };
}
