import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { saveText } from "../answer/files";
import type { Schemas } from "../api/client";
import { ApiError } from "../api/errors";
import { en } from "../strings/en";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { VerdictMark } from "../ui/marks";
import { namedBy, plainName, short } from "./names";
import "./proof.css";
import { type Proven, useProve, useVerify } from "./requests";

type Level = Schemas["Level"];

interface ProofProps {
  /** The entry of the log that is proved. */
  seq: number;
  level: Level;
  /** Whose entry it should be. */
  traceId: string | null;
}

/** How much stands behind a stored reason, a proof of it as a file, and what checking it shows. */
export function Proof({ seq, level, traceId }: ProofProps) {
  const words = en.proof;
  const prove = useProve();
  const verify = useVerify();
  const save = () => prove.mutate(seq, { onSuccess: ({ filename, text }) => saveText(filename, text, "text/plain") });
  const { name, means } = words.levels[level];
  return (
    <div className="proof">
      <p>
        <Link to="/hood/$section" params={{ section: "audit" }} hash={`entry-${seq}`} className="tabular">
          {words.entry(seq)}
        </Link>{" "}
        <Badge tone={level === "unsigned" ? "neutral" : "agree"} icon={level === "unsigned" ? "info" : "shield"}>
          {name}
        </Badge>
      </p>
      <p className="soft">{means}</p>
      <div className="why-acts">
        <Button size="s" icon="download" busy={prove.isPending} onClick={save}>
          {words.prove}
        </Button>
        <Button size="s" icon="shield" busy={verify.isPending} onClick={() => verify.mutate(seq)}>
          {words.verify}
        </Button>
      </div>
      <div role="status">
        {prove.data && (
          <p className="soft">
            {words.saved(prove.data.filename)} {words.savedDetail}
          </p>
        )}
        {verify.data && <Checked proven={verify.data} traceId={traceId} />}
      </div>
      {verify.error && <NotVerified error={verify.error} />}
    </div>
  );
}

/** A proof that could not be made or checked is another thing than one that does not hold. */
function NotVerified({ error }: { error: Error }) {
  const words = en.proof;
  const refuted = !(error instanceof ApiError && error.passing);
  return (
    <div role="alert" className="proof-failed">
      <p>{refuted ? `${words.refuted} ${error.message}` : error.message}</p>
      <p>{refuted ? words.refutedRemedy : words.again}</p>
    </div>
  );
}

function Checked({ proven, traceId }: { proven: Proven; traceId: string | null }) {
  const words = en.proof;
  const fits = traceId !== null && namedBy(proven.entry) === traceId;
  return (
    <div className="proof-checked">
      <p className="proof-verified">{fits ? words.verified : words.refuted}</p>
      <ul aria-label={words.checked}>
        <Check holds={fits}>{fits ? words.isTrace : words.otherTrace}</Check>
        <Check>
          {words.inLog(proven.index, proven.size)} <span title={proven.root}>{words.head(short(proven.root))}</span>
        </Check>
        <Check>{words.signedBy([...new Set(proven.signed_by.map(plainName))].join(", "))}</Check>
      </ul>
      <p className="soft">{words.notChecked}</p>
    </div>
  );
}

function Check({ holds = true, children }: { holds?: boolean; children: ReactNode }) {
  return (
    <li className="tabular">
      <VerdictMark verdict={holds ? "agree" : "differ"} />
      <span>{children}</span>
    </li>
  );
}
