import { useState } from "react";
import { en } from "../../../strings/en";
import { moment } from "../../../strings/numbers";
import { AlertDialog } from "../../../ui/AlertDialog";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { ErrorState, Skeleton } from "../../../ui/states";
import { type Column, Table } from "../../../ui/Table";
import { useToast } from "../../../ui/Toast";
import { RelativeTime } from "../../../ui/words";
import { Connect } from "./Connect";
import { MakeToken } from "./MakeToken";
import { type Token, useRevoke, useTokens } from "./requests";
import { ShownOnce } from "./ShownOnce";

const words = en.keeping.access;

/** Programs that are let in. */
export function TokensSection() {
  const tokens = useTokens("api");
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<Token | null>(null);
  return (
    <section className="settings-group" aria-labelledby="tokens">
      <div className="group-head">
        <h2 id="tokens">{words.tokens}</h2>
        <Button icon="plus" onClick={() => setMaking(true)}>
          {words.make}
        </Button>
      </div>
      <p className="soft measure">{words.tokensHint}</p>
      <Connect />
      {tokens.isPending && <Skeleton lines={3} />}
      {tokens.isError && <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {tokens.data?.length === 0 && <p className="soft">{words.noTokens}</p>}
      {tokens.data && tokens.data.length > 0 && (
        <Table caption={words.tokens} columns={columns(setRevoking)} rows={tokens.data} rowKey={(token) => token.id} />
      )}
      {making && (
        <MakeToken
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false);
            setSecret(made);
          }}
        />
      )}
      {secret !== null && (
        <ShownOnce
          title={words.madeTitle}
          text={words.madeText}
          label={words.secret}
          secret={secret}
          copied={words.copied}
          onClose={() => setSecret(null)}
        />
      )}
      {revoking && <Revoke token={revoking} onClose={() => setRevoking(null)} />}
    </section>
  );
}

function columns(onRevoke: (token: Token) => void): readonly Column<Token>[] {
  return [
    { key: "name", header: words.columns.name, cell: (token) => token.name },
    {
      key: "scopes",
      header: words.columns.scopes,
      cell: (token) => (
        <span className="scopes">
          {token.scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      ),
    },
    {
      key: "used",
      header: words.columns.used,
      cell: (token) => (token.last_used_at ? <RelativeTime at={token.last_used_at} /> : words.unused),
    },
    {
      key: "ends",
      header: words.columns.ends,
      cell: (token) => (token.expires_at ? <span title={moment(Date.parse(token.expires_at))}><Ends at={token.expires_at} /></span> : words.never),
    },
    {
      key: "act",
      header: words.revoke,
      cell: (token) => (
        <Button size="s" aria-label={words.revokeOf(token.name)} onClick={() => onRevoke(token)}>
          {words.revoke}
        </Button>
      ),
    },
  ];
}

function Ends({ at }: { at: string }) {
  return <time dateTime={at}>{at.slice(0, 10)}</time>;
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const { mutate, isPending } = useRevoke();
  const toast = useToast();
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={words.revokeTitle(token.name)}
      description={words.revokeText}
      confirm={words.revoke}
      danger
      busy={isPending}
      onConfirm={() => mutate(token.id, { onSuccess: () => toast({ text: words.revoked }), onSettled: onClose })}
    />
  );
}
