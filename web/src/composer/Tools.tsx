import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Going } from "../answer/going";
import { useNarrow } from "../answer/narrow";
import { api, data } from "../api/client";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { Segmented } from "../ui/Segmented";
import { Select } from "../ui/Select";
import { ACCEPTED } from "./attachments";
import { LEVELS } from "./choices";
import type { Wish } from "./Composer";
import { ConcludeButton } from "./ConcludeButton";
import { expectedWords, useExpectation } from "./expectation";
import { MembersPicker } from "./MembersPicker";
import { StopButton } from "./StopButton";

type Choice = Pick<Wish, "level" | "members" | "projectId" | "temporary">;

interface ToolsProps {
  text: string;
  choice: Choice;
  beginning: boolean;
  ready: boolean;
  sending: boolean;
  sendLabel: string;
  going: Going | null;
  onFiles: (files: readonly File[]) => void;
  onChoose: (news: Partial<Choice>) => void;
}

/** What is chosen for a question: files, members, project, level; what it will take; and the button that asks. */
export function Tools({ text, choice, beginning, ready, sending, sendLabel, going, onFiles, onChoose }: ToolsProps) {
  return (
    <div className="composer-tools">
      <div className="composer-row">
        <AttachButton onFiles={onFiles} />
        <MembersPicker chosen={choice.members} onChoose={(members) => onChoose({ members })} />
        {beginning && !choice.temporary && (
          <ProjectPicker value={choice.projectId} onChoose={(projectId) => onChoose({ projectId })} />
        )}
        {beginning && <TemporaryButton on={choice.temporary} onChange={(temporary) => onChoose({ temporary })} />}
      </div>
      <div className="composer-row composer-row-end">
        <LevelPicker choice={choice} onChoose={onChoose} />
        {going?.conclude && <ConcludeButton onConclude={going.conclude} />}
        {going ? (
          <StopButton onStop={going.stop} />
        ) : (
          <Button kind="primary" type="submit" icon="send" disabled={!ready} busy={sending}>
            {sendLabel}
          </Button>
        )}
      </div>
      <Expectation text={text} choice={choice} />
    </div>
  );
}

function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="attach" label={en.composer.attach} tipSide="bottom" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={en.composer.attach}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}

function LevelPicker({ choice, onChoose }: { choice: Choice; onChoose: ToolsProps["onChoose"] }) {
  const narrow = useNarrow();
  const choose = (level: Wish["level"]) => onChoose({ level });
  if (narrow) return <Select aria-label={en.composer.level} value={choice.level} options={LEVELS} onChoose={choose} />;
  return <Segmented label={en.composer.level} value={choice.level} options={LEVELS} onChoose={choose} />;
}

/** The value of "no project", and of the one that is active anyway. */
const NO_PROJECT = "";

function ProjectPicker({ value, onChoose }: { value: string | null; onChoose: (id: string | null) => void }) {
  const { data: projects = [] } = useQuery({
    queryKey: ["projects", "list"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/projects", { params: { query: {} }, signal })),
  });
  if (projects.length === 0) return null;
  const active = projects.find((each) => each.active)?.id ?? NO_PROJECT;
  const options = [{ value: NO_PROJECT, label: en.composer.project.none }, ...projects.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <Select
      className="composer-project"
      aria-label={en.composer.project.label}
      value={value ?? active}
      options={options}
      onChoose={(next) => onChoose(next === active ? null : next)}
    />
  );
}

function TemporaryButton({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const words = en.composer.temporary;
  return (
    // No tooltip: there is no room for it but above the box in which one writes.
    <button
      type="button"
      className="button button-quiet button-s composer-temporary"
      role="switch"
      aria-checked={on}
      aria-label={words.label}
      title={words.hint}
      onClick={() => onChange(!on)}
    >
      <span className="switch-dot" aria-hidden="true" />
      {words.label}
    </button>
  );
}

function Expectation({ text, choice }: { text: string; choice: Choice }) {
  const { data: expected } = useExpectation(text, choice.level, choice.members);
  return (
    <p className="composer-expected tabular">
      {expected ? expectedWords(expected) : en.composer.expected.loading}
      {choice.temporary && ` · ${en.composer.temporary.hint}`}
    </p>
  );
}
