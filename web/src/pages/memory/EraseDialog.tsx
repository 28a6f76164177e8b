import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { claimWords } from "../../claim/words";
import { en } from "../../strings/en";
import { AlertDialog } from "../../ui/AlertDialog";
import { Field, TextInput } from "../../ui/Field";
import { Switch } from "../../ui/Switch";
import { useToast } from "../../ui/Toast";
import { useErase } from "./acts";
import { type Correction, useBackups, useRepeated } from "./corrections";
import "./forms.css";

/** Characters of the words that the dialog repeats. */
const SHOWN = 160;

/** Says exactly what goes and what stays, and waits for a word that nobody types by mistake. */
export function EraseDialog({ correction, onClose }: { correction: Correction; onClose: () => void }) {
  const words = en.memory.erase;
  const [everywhere, setEverywhere] = useState(false);
  const [typed, setTyped] = useState("");
  const erase = useErase(correction.id);
  const erased = useErased();
  const ready = typed.trim().toLowerCase() === words.word;
  const confirm = () =>
    erase.mutate(everywhere, {
      onSuccess: (remains) => {
        onClose();
        erased(remains);
      },
    });
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={words.title}
      description={words.text(short(claimWords(correction)))}
      confirm={words.confirm}
      danger
      busy={erase.isPending}
      ready={ready}
      onConfirm={confirm}
    >
      <div className="memory-form">
        <Consequences id={correction.id} everywhere={everywhere} onEverywhere={setEverywhere} />
        <Field label={words.type(words.word)} error={erase.error?.message} required>
          {(control) => (
            <TextInput
              {...control}
              value={typed}
              autoComplete="off"
              autoCapitalize="off"
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && ready && !erase.isPending) confirm();
              }}
            />
          )}
        </Field>
      </div>
    </AlertDialog>
  );
}

interface ConsequencesProps {
  id: string;
  everywhere: boolean;
  onEverywhere: (everywhere: boolean) => void;
}

function Consequences({ id, everywhere, onEverywhere }: ConsequencesProps) {
  const words = en.memory.erase;
  const repeated = useRepeated(id);
  const backups = useBackups();
  const places = repeated.data ? placesOf(repeated.data) : "";
  return (
    <>
      <h3>{words.goes}</h3>
      <ul className="memory-bullets">
        <li>{words.itself}</li>
        <li>{words.derived}</li>
        {everywhere && places && <li>{words.elsewhereGoes(places)}</li>}
      </ul>
      <h3>{words.stays}</h3>
      <ul className="memory-bullets">
        {repeated.isPending && <li>{words.looking}</li>}
        {repeated.data && places === "" && <li>{words.none}</li>}
        {!everywhere && places && <li>{words.elsewhereStays(places)}</li>}
        <li>{words.backups(backups)}</li>
        <li>{words.log}</li>
      </ul>
      {places && <Switch label={words.everywhere} hint={words.everywhereHint(places)} checked={everywhere} onChange={onEverywhere} />}
    </>
  );
}

function placesOf(found: Schemas["Repetition"]): string {
  return en.memory.erase.elsewhere(found.messages, found.questions, found.notes, found.titles);
}

/** Leads back to the list and says what is left. */
function useErased() {
  const words = en.memory.erase;
  const toast = useToast();
  const navigate = useNavigate();
  return ({ elsewhere, backups, lingers }: Schemas["Remains"]) => {
    const left = [
      elsewhere > 0 ? words.left(elsewhere) : "",
      backups > 0 ? words.backupsLeft(backups) : "",
      lingers ? words.lingers : "",
    ];
    const detail = left.filter(Boolean).join(" ");
    void navigate({ to: "/memory" });
    toast({ text: words.done, ...(detail ? { detail } : {}) });
  };
}

function short(claim: string): string {
  return claim.length > SHOWN ? `${claim.slice(0, SHOWN)}…` : claim;
}
