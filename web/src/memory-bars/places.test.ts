import { describe, expect, it } from "vitest";
import { elsewhere } from "./places";

const FIELDS = [
  { id: "science", name: "science" },
  { id: "history", name: "history" },
];

describe("where a remembered thing can hold instead", () => {
  it("is the conversation in which it was said, and each field that the question is not about", () => {
    const known = { origin: "c1", conversation: "c2", about: { history: 1 }, fields: FIELDS };
    expect(elsewhere(known)).toEqual({ conversation: "c1", fields: [FIELDS[0]] });
  });

  it("is never the conversation in which it just entered", () => {
    expect(elsewhere({ origin: "c1", conversation: "c1", about: {}, fields: FIELDS }).conversation).toBeNull();
    expect(elsewhere({ origin: null, conversation: "c1", about: {}, fields: [] })).toEqual({ conversation: null, fields: [] });
  });
});
