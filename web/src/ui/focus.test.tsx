import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { AlertDialog } from "./AlertDialog";
import { Dialog } from "./Dialog";
import { Menu } from "./Menu";

afterEach(cleanup);

function Renaming() {
  const [asking, setAsking] = useState<"rename" | "remove" | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <Menu
        trigger={<button type="button">Actions</button>}
        groups={[
          [
            { label: "Rename", onSelect: () => setAsking("rename") },
            { label: "Delete", onSelect: () => setAsking("remove") },
          ],
        ]}
      />
      <button type="button" onClick={() => setAsking("rename")}>
        Direct
      </button>
      {asking === "rename" && <Dialog open onOpenChange={close} title="Rename it" />}
      <AlertDialog open={asking === "remove"} onOpenChange={close} title="Delete it" description="For good." confirm="Delete" onConfirm={close} />
    </>
  );
}

function escape(role: "dialog" | "alertdialog") {
  fireEvent.keyDown(screen.getByRole(role), { key: "Escape" });
}

it.each([
  ["Rename", "dialog"],
  ["Delete", "alertdialog"],
] as const)("a dialog that a menu opened (%s) gives focus back to the button of the menu", async (item, role) => {
  render(<Renaming />);
  const trigger = screen.getByRole("button", { name: "Actions" });
  trigger.focus();
  fireEvent.keyDown(trigger, { key: "Enter" });
  fireEvent.click(await screen.findByRole("menuitem", { name: item }));
  await screen.findByRole(role);
  escape(role);
  await waitFor(() => expect(document.activeElement).toBe(trigger));
});

it("a dialog that a button opened gives focus back to it", async () => {
  render(<Renaming />);
  const button = screen.getByRole("button", { name: "Direct" });
  button.focus();
  fireEvent.click(button);
  await screen.findByRole("dialog");
  escape("dialog");
  await waitFor(() => expect(document.activeElement).toBe(button));
});
