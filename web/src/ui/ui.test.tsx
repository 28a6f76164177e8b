import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import axe from "axe-core";
import { Tooltip } from "radix-ui";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { ApiError } from "../api/errors";
import { AlertDialog } from "./AlertDialog";
import { Badge, Chip } from "./Badge";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Field, TextInput } from "./Field";
import { IconButton } from "./IconButton";
import { MemberMark, VerdictMark } from "./marks";
import { Meter } from "./Meter";
import { Segmented } from "./Segmented";
import { Select } from "./Select";
import { EmptyState, ErrorState, Skeleton } from "./states";
import { Switch } from "./Switch";
import { Table } from "./Table";
import { TextArea } from "./TextArea";
import { ToastProvider, useToast } from "./Toast";
import { Kbd, Money, Percent, RelativeTime } from "./words";

afterEach(cleanup);

const nothing = () => undefined;
const OPTIONS = [
  { value: "fast", label: "Fast" },
  { value: "high", label: "High" },
] as const;

function shown(children: ReactNode) {
  return render(<Tooltip.Provider>{children}</Tooltip.Provider>);
}

describe("controls", () => {
  it("have names, roles and states that axe finds nothing wrong with", async () => {
    const { container } = shown(
      <main>
        <h1>All of them</h1>
        <Button kind="primary" icon="send">
          Ask
        </Button>
        <IconButton icon="close" label="Close" pressed />
        <Field label="Title" hint="A few words." error="It is empty." required>
          {(control) => <TextInput {...control} defaultValue="" />}
        </Field>
        <Field label="Text">{(control) => <TextArea {...control} value="x" onChange={nothing} />}</Field>
        <Field label="Level">
          {(control) => <Select {...control} value="fast" options={OPTIONS} onChoose={nothing} />}
        </Field>
        <Switch label="Review" hint="A blind review." checked onChange={nothing} />
        <Segmented label="Level" value="fast" options={OPTIONS} onChoose={nothing} />
        <Badge tone="agree">agrees</Badge>
        <Chip onPress={nothing} onRemove={nothing} removeLabel="Not here: choir">
          choir
        </Chip>
        <Meter label="Recency" value={0.5} interval={[0.4, 0.7]} />
        <Skeleton />
        <EmptyState title="Nothing yet">Ask something.</EmptyState>
        <Kbd keys={["Ctrl", "K"]} />
        <MemberMark seat={9} />
        <VerdictMark verdict="differ" />
        <Money micros={1_500_000} />
        <Percent share={null} />
        <RelativeTime at="2026-01-01T00:00:00Z" />
        <Table caption="Members" columns={COLUMNS} rows={[{ name: "a", right: 3 }]} rowKey={(row) => row.name} />
      </main>,
    );
    const found = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
    expect(found.violations.map((violation) => violation.id)).toEqual([]);
  });

  it("tie a label, a hint and an error to their box", () => {
    shown(
      <Field label="Title" hint="A few words." error="It is empty.">
        {(control) => <TextInput {...control} />}
      </Field>,
    );
    const box = screen.getByLabelText("Title");
    const described = box.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(["A few words.", "It is empty."]);
    expect(box.getAttribute("aria-invalid")).toBe("true");
  });

  it("choose among the values that they offer, and only those", () => {
    const chosen: string[] = [];
    shown(<Select aria-label="Level" value="fast" options={OPTIONS} onChoose={(value) => chosen.push(value)} />);
    fireEvent.change(screen.getByLabelText("Level"), { target: { value: "high" } });
    expect(chosen).toEqual(["high"]);
  });
});

const COLUMNS = [
  { key: "name", header: "Member", cell: (row: { name: string }) => row.name },
  { key: "right", header: "Right", numeric: true, cell: (row: { right: number }) => row.right },
];

describe("what goes wrong", () => {
  it("is said with its remedy and a way to try again", () => {
    let tries = 0;
    shown(<ErrorState error={new ApiError(503, "busy", "Busy.", "Wait a moment.")} onRetry={() => (tries += 1)} />);
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toContain("Busy.");
    expect(alert.textContent).toContain("Wait a moment.");
    fireEvent.click(within(alert).getByRole("button"));
    expect(tries).toBe(1);
  });
});

describe("dialogs", () => {
  it("close by Escape at the first press, although focus is on a button", () => {
    const states: boolean[] = [];
    shown(
      <Dialog open onOpenChange={(open) => states.push(open)} title="Rename">
        <p>Body</p>
      </Dialog>,
    );
    fireEvent.keyDown(screen.getByRole("dialog", { name: "Rename" }), { key: "Escape" });
    expect(states).toEqual([false]);
  });

  it("begin on Cancel where something cannot be undone, and stay open until the work is done", () => {
    const states: boolean[] = [];
    let confirmed = 0;
    shown(
      <AlertDialog
        open
        onOpenChange={(open) => states.push(open)}
        title="Delete?"
        description="For good."
        confirm="Delete"
        danger
        onConfirm={() => (confirmed += 1)}
      />,
    );
    expect(document.activeElement?.textContent).toBe("Cancel");
    fireEvent.click(screen.getByRole("button", { name: "Delete" }));
    expect([confirmed, states]).toEqual([1, []]);
  });
});

describe("toasts", () => {
  it("take back what was done when Undo is pressed, and then go", () => {
    let undone = 0;
    function Archive() {
      const toast = useToast();
      return <Button onClick={() => toast({ text: "Archived.", undo: () => (undone += 1) })}>Archive</Button>;
    }
    shown(
      <ToastProvider>
        <Archive />
      </ToastProvider>,
    );
    fireEvent.click(screen.getByRole("button", { name: "Archive" }));
    fireEvent.click(screen.getByRole("button", { name: /Undo/ }));
    expect(undone).toBe(1);
    expect(screen.queryByRole("button", { name: /Undo/ })).toBeNull();
  });
});
