import { describe, expect, it } from "vitest";
import { namedBy, plainName, short } from "./names";

describe("a proved entry", () => {
  it("names the reasons that it stands for, and nothing where it cannot be read", () => {
    expect(namedBy('{"kind":"trace","refs":{"trace_id":"tr_1"}}')).toBe("tr_1");
    for (const entry of ['{"refs":{"trace_id":7}}', '{"refs":null}', "[]", "null", "no entry"]) expect(namedBy(entry), entry).toBeNull();
  });

  it("is told by hashes and names that the eye can compare", () => {
    expect(short("18b90bd11becedf8cc887bd5eb23437b")).toBe("18b90bd1…eb23437b");
    expect(short("abc")).toBe("abc");
    expect(plainName("auritas.invalid/01a20273-3d25-756c-8f43-b34452f7dcb6/audit/1")).toBe("auritas.invalid/01a20273…52f7dcb6");
    expect(plainName("witness.example")).toBe("witness.example");
  });
});
