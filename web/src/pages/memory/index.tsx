import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Page } from "../../shell/Page";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Tabs } from "../../ui/Tabs";
import { AddDialog } from "./AddDialog";
import { DetailPanel } from "./DetailPanel";
import { FilesMenu } from "./FilesMenu";
import { Notes } from "./Notes";
import { Remembered } from "./Remembered";
import "./memory.css";

/** What is remembered, beside it one thing of it at an address of its own, and the notes that models write. */
export default function MemoryPage() {
  const words = en.memory;
  const { id } = useParams({ strict: false });
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const actions = (
    <>
      <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
        {words.add}
      </Button>
      <FilesMenu />
    </>
  );
  const tabs = [
    { value: "remembered", label: words.tabs.remembered, content: <Split id={id ?? null} onAdd={() => setAdding(true)} /> },
    { value: "notes", label: words.tabs.notes, content: <Notes /> },
  ] as const;
  return (
    <Page title={en.pages.memory} actions={actions}>
      <div className="memory" data-open={id !== undefined || undefined}>
        <Tabs
          label={words.tabs.label}
          tabs={tabs}
          value={hash === "notes" ? "notes" : "remembered"}
          onChoose={(tab) => void navigate({ to: "/memory", hash: tab === "notes" ? "notes" : "" })}
        />
      </div>
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Split({ id, onAdd }: { id: string | null; onAdd: () => void }) {
  return (
    <div className="memory-split">
      <div className="memory-side">
        <Remembered open={id} onAdd={onAdd} />
      </div>
      {id !== null && <DetailPanel key={id} id={id} />}
    </div>
  );
}
