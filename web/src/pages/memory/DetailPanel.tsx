import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/errors";
import { Asked } from "../../claim/Claim";
import { en } from "../../strings/en";
import { IconButton } from "../../ui/IconButton";
import { Icon } from "../../ui/icons";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states";
import { Acts } from "./Acts";
import { type Correction, type Detail, useCorrection } from "./corrections";
import { EditForm } from "./EditForm";
import { HistoryOf } from "./HistoryOf";
import { useGoingAlong } from "./panel";
import { placeWords, useProjectNames } from "./places";
import { EditAndAccept, ProposalActs } from "./Proposed";
import { Said, Use } from "./provenance";
import { Resembling } from "./Resembling";
import { Uses } from "./Uses";
import { useEdited } from "./edited";
import { shown } from "../../markdown/text";
import "./detail.css";

/** One remembered thing: beside the list where there is room, else in its place. Escape leads back. */
export function DetailPanel({ id }: { id: string }) {
  const words = en.memory.detail;
  const found = useCorrection(id);
  const navigate = useNavigate();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useGoingAlong(panel);
  const close = () => {
    void navigate({ to: "/memory", resetScroll: false }).then(() => document.getElementById(`row-${id}`)?.focus());
  };
  const gone = found.error instanceof ApiError && found.error.status === 404;
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, as its button does
    <section
      className="memory-detail"
      aria-label={words.label}
      ref={panel}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) close();
      }}
    >
      <div className="memory-detail-head">
        <Link className="memory-back" to="/memory">
          <Icon name="left" size={16} />
          {words.back}
        </Link>
        <IconButton className="memory-close" icon="close" label={words.close} onClick={close} />
      </div>
      {found.isPending && <Skeleton lines={5} />}
      {gone && (
        <EmptyState icon="memory" title={words.gone}>
          {words.goneText}
        </EmptyState>
      )}
      {found.isError && !gone && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <Shown detail={found.data} />}
    </section>
  );
}

function Shown({ detail }: { detail: Detail }) {
  const { correction } = detail.entry;
  return (
    <>
      <Standing correction={correction} />
      <Words correction={correction} detail={detail} />
      <Facts detail={detail} />
      {correction.state === "active" && <Resembling correction={correction} />}
      <Uses id={correction.id} />
      <HistoryOf detail={detail} />
    </>
  );
}

/** What is said first of something that does not hold. */
function Standing({ correction }: { correction: Correction }) {
  const words = en.memory.detail;
  if (correction.state === "proposed") return <p className="memory-standing">{words.proposed}</p>;
  if (correction.state !== "superseded") return null;
  return (
    <p className="memory-standing">
      {words.notHolding}{" "}
      {correction.superseded_by && (
        <Link to="/memory/$id" params={{ id: correction.superseded_by }}>
          {words.replacedBy}
        </Link>
      )}
    </p>
  );
}

function Words({ correction, detail }: { correction: Correction; detail: Detail }) {
  const [editing, setEditing] = useState(false);
  const edited = useEdited();
  const stop = () => setEditing(false);
  const proposed = correction.state === "proposed";
  if (editing && proposed) return <EditAndAccept correction={correction} onClose={stop} />;
  if (editing)
    return (
      <EditForm
        correction={correction}
        save={en.memory.acts.save}
        onClose={stop}
        onSaved={(act) => {
          stop();
          if (act) edited(act);
        }}
      />
    );
  return (
    <>
      <div>
        <Asked said={correction} />
        <h2 className="memory-words" dir="auto">
          {shown(correction.claim)}
        </h2>
      </div>
      {proposed && <ProposalActs correction={correction} onEdit={() => setEditing(true)} />}
      <Acts correction={correction} origin={detail.origin} onEdit={() => setEditing(true)} />
    </>
  );
}

function Facts({ detail }: { detail: Detail }) {
  const words = en.memory.detail;
  const projects = useProjectNames();
  const { correction, times } = detail.entry;
  const told = correction.instruction !== correction.claim ? correction.instruction : "";
  return (
    <dl className="memory-dl">
      <Fact label={en.memory.filters.type}>{en.memory.types[correction.type]}</Fact>
      <Fact label={words.where}>{shown(placeWords(correction, projects))}</Fact>
      <Fact label={words.said}>
        <Said correction={correction} origin={detail.origin} />
      </Fact>
      <Fact label={words.use}>
        <Use correction={correction} times={times} />
      </Fact>
      {told && <Fact label={words.instruction}>{shown(told)}</Fact>}
      {correction.condition && <Fact label={words.condition}>{shown(correction.condition)}</Fact>}
      {correction.rejected && <Fact label={words.rejected}>{shown(correction.rejected)}</Fact>}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
