import { type ChangeEvent, useRef, useState } from "react";
import { useMutation } from "../../api/mutation";
import { saveText } from "../../answer/files";
import { api, data, type Schemas } from "../../api/client";
import { reportFailure } from "../../api/failures";
import { queryClient } from "../../api/queries";
import { useUndo } from "../../memory-bars/steering";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { IconButton } from "../../ui/IconButton";
import { Menu } from "../../ui/Menu";
import { useToast } from "../../ui/Toast";
import "./forms.css";

const LARGEST_BYTES = 64_000_000;
type Imported = Schemas["Imported"];

/** Memory as a file, in and out; and the way back from the last change. */
export function FilesMenu() {
  const words = en.memory.files;
  const file = useRef<HTMLInputElement>(null);
  const [came, setCame] = useState<Imported | null>(null);
  const { mutate: take } = useImport(setCame);
  const { mutate: save } = useExport();
  const undo = useUndo();
  const chosen = (event: ChangeEvent<HTMLInputElement>) => {
    const [first] = event.target.files ?? [];
    if (first && first.size > LARGEST_BYTES) reportFailure(new Error(words.tooLarge));
    else if (first) take(first);
    event.target.value = "";
  };
  return (
    <>
      <input ref={file} type="file" hidden accept=".json,application/json" aria-label={words.chooser} onChange={chosen} />
      <Menu
        trigger={<IconButton icon="more" label={en.memory.more} />}
        groups={[
          [{ label: words.undo, icon: "undo", onSelect: () => undo() }],
          [
            { label: words.import, icon: "attach", onSelect: () => file.current?.click() },
            { label: words.json, icon: "download", onSelect: () => save("json") },
            { label: words.markdown, icon: "download", onSelect: () => save("markdown") },
          ],
        ]}
      />
      {came && <CameDialog came={came} onClose={() => setCame(null)} />}
    </>
  );
}

function useImport(onCame: (came: Imported) => void) {
  return useMutation({
    mutationFn: (file: File) =>
      // The body is the file itself; its type in the document says only that it is JSON.
      data(api.POST("/api/v1/memory/import", { body: file as unknown as Record<string, never>, bodySerializer: () => file, headers: { "content-type": "application/json" } })),
    onSuccess: (came) => {
      void queryClient.invalidateQueries({ queryKey: ["memory"] });
      onCame(came);
    },
  });
}

function useExport() {
  const toast = useToast();
  return useMutation({
    mutationFn: async (form: Schemas["Form"]) => ({
      form,
      text: await data<unknown>(api.POST("/api/v1/memory/export", { body: { form }, parseAs: "text" })),
    }),
    onSuccess: ({ form, text }) => {
      const name = form === "json" ? "auritas-memory.json" : "auritas-memory.md";
      saveText(name, String(text), form === "json" ? "application/json" : "text/markdown");
      toast({ text: en.memory.files.exported(name), detail: en.memory.files.exportedDetail });
    },
  });
}

function CameDialog({ came, onClose }: { came: Imported; onClose: () => void }) {
  const words = en.memory.files;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={words.importTitle}
      footer={
        <Button kind="primary" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      <ul className="memory-bullets tabular">
        <li>{words.added(came.added)}</li>
        <li>{words.known(came.known)}</li>
        {came.replaced.length > 0 && <li>{words.replaced(came.replaced.length)}</li>}
      </ul>
      {came.problems.length > 0 && (
        <>
          <p>{words.problems(came.problems.length)}</p>
          <ul className="memory-bullets">
            {came.problems.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
