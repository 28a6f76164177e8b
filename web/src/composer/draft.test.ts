import { afterEach, describe, expect, it } from "vitest";
import { forgetDrafts, keepDraft, NEW, readDraft } from "./draft";
import { isTemporary, noteTemporary } from "./temporary";

afterEach(() => sessionStorage.clear());

describe("what is written and not sent", () => {
  it("is kept for each conversation in this tab alone", () => {
    keepDraft(NEW, "How large");
    keepDraft("c1", "And then?");
    expect([readDraft(NEW), readDraft("c1"), readDraft("c2")]).toEqual(["How large", "And then?", ""]);
    expect(localStorage.length).toBe(0);
  });

  it("goes with its conversation, rewordings included, or all at once", () => {
    for (const draft of ["c1", "c1.edit.m1", "c2", NEW]) keepDraft(draft, "x");
    forgetDrafts("c1");
    expect(Object.keys(sessionStorage).toSorted()).toEqual(["auritas.draft.c2", "auritas.draft.new"]);
    forgetDrafts();
    expect(sessionStorage.length).toBe(0);
  });

  it("leaves nothing behind once it is sent", () => {
    keepDraft("c1", "x");
    keepDraft("c1", "");
    expect(sessionStorage.length).toBe(0);
  });
});

describe("temporary conversations", () => {
  it("are noted once, also where the storage holds something else", () => {
    sessionStorage.setItem("auritas.temporary", "{broken");
    noteTemporary("c1");
    noteTemporary("c1");
    expect([isTemporary("c1"), isTemporary("c2")]).toEqual([true, false]);
  });
});
