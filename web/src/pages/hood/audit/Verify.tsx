import { type SubmitEvent, useState } from "react";
import { useMutation } from "../../../api/mutation";
import { api, data } from "../../../api/client";
import { en } from "../../../strings/en";
import { Button } from "../../../ui/Button";
import { Field } from "../../../ui/Field";
import { TextArea } from "../../../ui/TextArea";
import { useWork, Work } from "../work";
import { areHeads, linesOf } from "./lines";
import "./audit.css";

const words = en.hood.audit;

/** Verifies the whole log, against heads that were kept elsewhere where some are given, and says what came of it. */
export function Verify() {
  const [text, setText] = useState("");
  const [bad, setBad] = useState(false);
  const run = useWork("verify");
  const verify = useMutation({
    mutationFn: (heads: readonly string[]) => data(api.POST("/api/v1/audit/verify", { body: { heads: [...heads] } })),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const heads = linesOf(text);
    setBad(!areHeads(heads));
    if (areHeads(heads)) verify.mutate(heads);
  };
  return (
    <form className="hood-verify" onSubmit={submit}>
      <Button kind="primary" icon="shield" type="submit" busy={verify.isPending || run?.state === "running"}>
        {words.verify}
      </Button>
      {run && <Work run={run} label={words.verifying} done={words.ok} failed={words.broken} />}
      <details className="hood-suppose" open={bad || undefined}>
        <summary>{words.heads}</summary>
        <Field label={words.heads} hint={words.headsHint} error={bad ? words.badHead : undefined}>
          {(control) => (
            <TextArea {...control} className="hood-mono" rows={2} value={text} onChange={(event) => setText(event.target.value)} />
          )}
        </Field>
      </details>
    </form>
  );
}
