import { useState } from "react";
import { en } from "../../../strings/en";
import { AlertDialog } from "../../../ui/AlertDialog";
import { Badge } from "../../../ui/Badge";
import { Button } from "../../../ui/Button";
import { ErrorState, Skeleton } from "../../../ui/states";
import { useToast } from "../../../ui/Toast";
import { RelativeTime } from "../../../ui/words";
import { type Token, useMe, useRevoke, useSignOut, useTokens } from "./requests";

const words = en.keeping.access;

/** Browsers that are signed in. */
export function BrowsersSection() {
  const sessions = useTokens("browser");
  const me = useMe();
  const [leaving, setLeaving] = useState<Token | null>(null);
  return (
    <section className="settings-group" aria-labelledby="browsers">
      <h2 id="browsers">{words.browsers}</h2>
      <p className="soft">{words.browsersHint}</p>
      {sessions.isPending && <Skeleton lines={3} />}
      {sessions.isError && <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />}
      <ul className="models">
        {(sessions.data ?? []).map((session) => (
          <li key={session.id} className="model">
            <div className="model-words">
              <p className="model-name">
                {session.name}
                {session.id === me.data?.id && <Badge tone="accent">{words.thisOne}</Badge>}
                {session.owner !== me.data?.owner && <Badge>{session.owner}</Badge>}
              </p>
              <p className="soft">
                <RelativeTime at={session.last_used_at ?? session.created_at} />
              </p>
            </div>
            <Button size="s" aria-label={words.signOutOf(session.name)} onClick={() => setLeaving(session)}>
              {words.signOut}
            </Button>
          </li>
        ))}
      </ul>
      {leaving && <SignOut session={leaving} own={leaving.id === me.data?.id} onClose={() => setLeaving(null)} />}
    </section>
  );
}

function SignOut({ session, own, onClose }: { session: Token; own: boolean; onClose: () => void }) {
  const revoke = useRevoke();
  const leave = useSignOut();
  const toast = useToast();
  const done = { onSuccess: () => toast({ text: words.signedOut }), onSettled: onClose };
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={words.signOutTitle(session.name)}
      description={own ? words.signOutSelfText : words.signOutText}
      confirm={words.signOut}
      danger
      busy={revoke.isPending || leave.isPending}
      onConfirm={() => {
        if (own) leave.mutate(undefined, done);
        else revoke.mutate(session.id, done);
      }}
    />
  );
}
