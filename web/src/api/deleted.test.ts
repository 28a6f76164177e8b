import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { dropConversation, followDeletions, wasDeleted } from "./deleted";

function read(): QueryClient {
  const client = new QueryClient();
  for (const id of ["one", "two"]) client.setQueryData(["messages", id, ""], { said: id });
  return client;
}

it("what was read of a deleted conversation is let go of, in other tabs as well, and of no other", async () => {
  const [here, there] = [read(), read()];
  const end = followDeletions(there);
  dropConversation(here, "one");
  expect(here.getQueryData(["messages", "one", ""])).toBeUndefined();
  await vi.waitFor(() => expect(there.getQueryData(["messages", "one", ""])).toBeUndefined());
  end();
  expect([here, there].map((client) => client.getQueryData(["messages", "two", ""]))).toEqual([{ said: "two" }, { said: "two" }]);
  expect([wasDeleted("one"), wasDeleted("two")]).toEqual([true, false]);
});
