import { type SubmitEvent, useState } from "react";
import { en } from "../../../strings/en";
import { bytes } from "../../../strings/numbers";
import { Button } from "../../../ui/Button";
import { ErrorState, Skeleton } from "../../../ui/states";
import { type Column, Table } from "../../../ui/Table";
import { RelativeTime } from "../../../ui/words";
import type { Schemas } from "../../../api/client";
import { Check } from "../models/AdditionParts";
import { RunProgress, useLatestRun } from "../RunProgress";
import { faultOf, Secret } from "./Passphrase";
import { useBackUp, useBackups } from "./requests";

type Backup = Schemas["BackupLine"];

const words = en.keeping;
const EMPTY = { next: "", again: "" };
const COLUMNS: readonly Column<Backup>[] = [
  { key: "name", header: words.columns.name, cell: (backup) => backup.name },
  { key: "when", header: words.columns.when, cell: (backup) => (backup.made_at ? <RelativeTime at={backup.made_at} /> : en.ui.none) },
  { key: "size", header: words.columns.size, numeric: true, cell: (backup) => bytes(backup.bytes) },
  { key: "opens", header: words.columns.opens, cell: (backup) => backup.opens_with },
];

/** Backups in the data folder, and one more now. */
export function BackupsSection() {
  const backups = useBackups();
  const run = useLatestRun("backup");
  return (
    <section className="settings-group" aria-labelledby="backups">
      <h2 id="backups">{words.backups}</h2>
      <p className="soft">{words.backupsHint}</p>
      <BackUpForm busy={run?.state === "running"} />
      {run && <RunProgress run={run} label={words.backingUp} done={words.backedUp} stopped={en.models.stopped} />}
      {backups.isPending && <Skeleton lines={3} />}
      {backups.isError && <ErrorState error={backups.error} onRetry={() => void backups.refetch()} />}
      {backups.data?.length === 0 && <p className="soft">{words.noBackups}</p>}
      {backups.data && backups.data.length > 0 && (
        <Table caption={words.backups} columns={COLUMNS} rows={backups.data} rowKey={(backup) => backup.name} />
      )}
    </section>
  );
}

function BackUpForm({ busy }: { busy: boolean }) {
  const [own, setOwn] = useState(false);
  const [secret, setSecret] = useState(EMPTY);
  const [wrong, setWrong] = useState<"short" | "differ" | null>(null);
  const { mutate, isPending } = useBackUp();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fault = own ? faultOf(secret.next, secret.again) : null;
    setWrong(fault);
    if (fault !== null) return;
    mutate(own ? secret.next : null, {
      onSuccess: () => {
        setSecret(EMPTY);
        setOwn(false);
      },
    });
  };
  return (
    <form className="narrow-form" onSubmit={submit} noValidate>
      <Check label={words.own} checked={own} onCheck={setOwn} />
      {own && (
        <>
          <Secret
            label={words.ownNew}
            hint={words.ownHint}
            value={secret.next}
            kind="new-password"
            error={wrong === "short" ? words.short : undefined}
            onType={(next) => setSecret({ ...secret, next })}
          />
          <Secret
            label={words.ownAgain}
            value={secret.again}
            kind="new-password"
            error={wrong === "differ" ? words.differ : undefined}
            onType={(again) => setSecret({ ...secret, again })}
          />
        </>
      )}
      <div>
        <Button type="submit" busy={isPending || busy}>
          {words.backUp}
        </Button>
      </div>
    </form>
  );
}
