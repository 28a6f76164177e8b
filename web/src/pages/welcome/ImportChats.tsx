import { type ChangeEvent, useRef, useState } from "react";
import { useMutation } from "../../api/mutation";
import { api, data } from "../../api/client";
import { refusalOf } from "../settings/refusal";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { RunProgress, useLatestRun } from "../settings/RunProgress";

const words = en.welcome;
/** Bytes that a file may have: what the server takes. */
const LARGEST = 1_000_000_000;

/** Reads in an export of conversations. The file itself is the body: it is never held in memory here. */
function useImport() {
  return useMutation({
    mutationFn: (file: File) =>
      data(
        api.POST("/api/v1/imports", {
          params: { query: { name: file.name } },
          body: file,
          bodySerializer: (body: unknown) => body as File,
          headers: { "content-type": file.name.endsWith(".zip") ? "application/zip" : "application/json" },
        }),
      ),
    meta: { quiet: true },
  });
}

/** Earlier conversations from elsewhere: a file, how far it is, and what came of it. */
export function ImportChats() {
  const box = useRef<HTMLInputElement>(null);
  const [tooLarge, setTooLarge] = useState(false);
  const { mutate, error, isPending } = useImport();
  const run = useLatestRun("import");
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = "";
    if (!file) return;
    setTooLarge(file.size > LARGEST);
    if (file.size <= LARGEST) mutate(file);
  };
  const going = isPending || run?.state === "running";
  return (
    <div className="import">
      <input
        ref={box}
        className="visually-hidden"
        type="file"
        accept=".json,.zip,application/json,application/zip"
        aria-label={words.choose}
        tabIndex={-1}
        onChange={take}
      />
      <div>
        <Button icon="attach" busy={going} onClick={() => box.current?.click()}>
          {words.choose}
        </Button>
      </div>
      {isPending && (
        <p className="soft" role="status">
          {words.sending}
        </p>
      )}
      {tooLarge && (
        <p className="field-error" role="alert">
          {words.importTooLarge}
        </p>
      )}
      {error && (
        <p className="field-error" role="alert">
          {refusalOf(error)}
        </p>
      )}
      {run && <RunProgress run={run} label={words.importing} done={words.imported} stopped={words.importStopped} />}
    </div>
  );
}
