import type { Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { integer } from "../../../strings/numbers";
import { Button } from "../../../ui/Button";
import { IconButton } from "../../../ui/IconButton";
import { RelativeTime } from "../../../ui/words";
import { Figures, Loaded } from "../parts";
import { useCopy, useRoot, useSign } from "./reads";
import { Verify } from "./Verify";
import "./audit.css";

type Root = Schemas["RootView"];

const words = en.hood.audit;
/** Digits of a hash in sight; the whole of it is copied. */
const DIGITS = 16;

/** Where the log stands, and verifying all of it. */
export function Head() {
  const root = useRoot();
  return (
    <Loaded read={root} lines={3}>
      {(found) => (
        <>
          <Standing root={found} />
          <Verify />
        </>
      )}
    </Loaded>
  );
}

function Standing({ root: { head, key, checkpoint } }: { root: Root }) {
  const copy = useCopy();
  const sign = useSign();
  return (
    <Figures
      figures={[
        { label: words.entries, value: integer(head.size) },
        {
          label: words.root,
          value: (
            <Hash text={head.root} label={words.copyRoot} onCopy={() => copy(`${head.size}:${head.root}`)} />
          ),
        },
        {
          label: words.signed,
          value: checkpoint ? words.signedUpTo(checkpoint.size) : words.noCheckpoint,
          basis: (
            <span className="hood-signed">
              {checkpoint && <RelativeTime at={checkpoint.created_at} />}
              {checkpoint?.size !== head.size && (
                <Button size="s" busy={sign.isPending} onClick={() => sign.mutate()}>
                  {words.sign}
                </Button>
              )}
            </span>
          ),
        },
        {
          label: words.key,
          value: key === null ? words.noKey : <Hash text={key} label={words.copyKey} onCopy={() => copy(key)} />,
        },
      ]}
    />
  );
}

function Hash({ text, label, onCopy }: { text: string; label: string; onCopy: () => void }) {
  return (
    <span className="hood-hash">
      <code title={text}>{text.length > DIGITS ? `${text.slice(0, DIGITS)}…` : text}</code>
      <IconButton size="s" icon="copy" label={label} onClick={onCopy} />
    </span>
  );
}
