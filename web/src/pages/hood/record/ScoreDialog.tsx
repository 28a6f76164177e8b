import { type SubmitEvent, useState } from "react";
import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Dialog } from "../../../ui/Dialog";
import { Field, TextInput } from "../../../ui/Field";
import { useToast } from "../../../ui/Toast";
import { shareFrom, useScoreActs } from "./acts";

const words = en.hood.record;
const FORM = "own-score";

/** Gives a person's own public score; of the model of `score` where it is given. */
export function ScoreDialog({ score, onClose }: { score: Schemas["PublicScore"] | null; onClose: () => void }) {
  const [model, setModel] = useState(score?.model ?? "");
  const [text, setText] = useState(score ? String(Math.round(score.score * 1000) / 10) : "");
  const [source, setSource] = useState(score?.own ? score.source : "");
  const [tried, setTried] = useState(false);
  const { put } = useScoreActs();
  const toast = useToast();
  const share = shareFrom(text);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (share === null || model.trim() === "" || source.trim() === "") return;
    const given = { model: model.trim(), score: share, source: source.trim() };
    put.mutate(given, {
      onSuccess: () => {
        toast({ text: words.saved(given.model) });
        onClose();
      },
    });
  };
  const missing = (value: string) => (tried && value.trim() === "" ? words.missing : undefined);
  const badShare = tried && share === null ? words.badShare : undefined;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.addTitle}
      description={words.addHint}
      footer={
        <>
          <Button onClick={onClose}>{en.ui.cancel}</Button>
          <Button kind="primary" type="submit" form={FORM} busy={put.isPending}>
            {words.save}
          </Button>
        </>
      }
    >
      <form id={FORM} className="hood-form" onSubmit={save} noValidate>
        <Field label={words.model} required error={missing(model)}>
          {(control) => (
            <TextInput {...control} value={model} readOnly={score !== null} maxLength={200} onChange={(event) => setModel(event.target.value)} />
          )}
        </Field>
        <Field label={words.sharePercent} required error={badShare}>
          {(control) => <TextInput {...control} inputMode="decimal" value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
        <Field label={words.source} hint={words.sourceHint} required error={missing(source) ?? put.error?.message}>
          {(control) => <TextInput {...control} value={source} maxLength={500} onChange={(event) => setSource(event.target.value)} />}
        </Field>
      </form>
    </Dialog>
  );
}
