import { en } from "../../strings/en";
import { Field } from "../../ui/Field";
import { Select } from "../../ui/Select";
import type { Place } from "./acts";
import type { Scope } from "./corrections";
import { useFields, useProjects } from "./places";

/** Where something is to hold, as it is being chosen. */
export interface Where {
  readonly scope: Scope;
  readonly projectId: string;
  readonly domain: string;
}

export const EVERYWHERE: Where = { scope: "global", projectId: "", domain: "" };

/** The place for the server, or null where it is not chosen to the end. */
export function placeFrom({ scope, projectId, domain }: Where, conversationId: string | null): Place | null {
  const nowhere = { project_id: null, conversation_id: null, domain: null };
  if (scope === "project") return projectId === "" ? null : { ...nowhere, scope, project_id: projectId };
  if (scope === "domain") return domain === "" ? null : { ...nowhere, scope, domain };
  if (scope === "conversation") return conversationId === null ? null : { ...nowhere, scope, conversation_id: conversationId };
  return { ...nowhere, scope };
}

interface PlaceFieldsProps {
  label: string;
  where: Where;
  onChange: (where: Where) => void;
  /** The conversation in which it can hold; null leaves that out. */
  conversationId?: string | null;
}

/** Everywhere, in a project, for a field, or in the one conversation. */
export function PlaceFields({ label, where, onChange, conversationId = null }: PlaceFieldsProps) {
  const words = en.memory;
  const options = [
    { value: "global", label: words.scopes.global },
    { value: "project", label: words.scopes.project },
    { value: "domain", label: words.scopes.domain },
    ...(conversationId === null ? [] : [{ value: "conversation" as const, label: words.move.here }]),
  ] as const;
  return (
    <>
      <Field label={label}>
        {(control) => (
          <Select {...control} value={where.scope} options={options} onChoose={(scope) => onChange({ ...where, scope })} />
        )}
      </Field>
      {where.scope === "project" && <ProjectField where={where} onChange={onChange} />}
      {where.scope === "domain" && <FieldField where={where} onChange={onChange} />}
    </>
  );
}

const UNCHOSEN = { value: "", label: en.ui.none };

function ProjectField({ where, onChange }: Pick<PlaceFieldsProps, "where" | "onChange">) {
  const words = en.memory.move;
  const { data: projects } = useProjects();
  const open = projects?.filter((each) => !each.archived) ?? [];
  if (projects && open.length === 0) return <p className="field-hint">{words.noProject}</p>;
  const options = [UNCHOSEN, ...open.map((each) => ({ value: each.id, label: each.name }))];
  return (
    <Field label={words.project} required>
      {(control) => (
        <Select {...control} value={where.projectId} options={options} onChoose={(projectId) => onChange({ ...where, projectId })} />
      )}
    </Field>
  );
}

function FieldField({ where, onChange }: Pick<PlaceFieldsProps, "where" | "onChange">) {
  const words = en.memory.move;
  const { data: fields } = useFields();
  if (fields?.length === 0) return <p className="field-hint">{words.noDomain}</p>;
  const options = [UNCHOSEN, ...(fields ?? []).map((each) => ({ value: each.id, label: each.path.join(" › ").replaceAll("_", " ") }))];
  return (
    <Field label={words.domain} required>
      {(control) => (
        <Select {...control} value={where.domain} options={options} onChoose={(domain) => onChange({ ...where, domain })} />
      )}
    </Field>
  );
}
