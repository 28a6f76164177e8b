import { describe, expect, it } from "vitest";
import { graded, gradeOf, marked, recordIn } from "./rates";

const rate = (right: number, of: number) => ({ graded: of, right, mean: 0.5, low: 0.2, high: 0.8 });

describe("a record", () => {
  it("is that of the field with the largest share, and of nobody who was hardly graded in it", () => {
    const record = recordIn({ history: 0.7, science: 0.3 }, [
      { seat: "ada", domain: "history", parent: null, rate: rate(14, 20) },
      { seat: "ada", domain: "science", parent: null, rate: rate(1, 9) },
      { seat: "bob", domain: "history", parent: null, rate: rate(0, 0.01) },
    ]);
    expect(record?.field).toBe("history");
    expect([record?.of("ada")?.right, record?.of("bob"), record?.of("cleo")]).toEqual([14, null, null]);
  });

  it("is none where a question was not sorted into a field", () => {
    expect(recordIn({}, [])).toBeNull();
  });
});

describe("grades", () => {
  it("are counted where they come to something", () => {
    const mark = (seat: string, right: boolean | null) => ({ seat, right, run_id: seat, text: "", p: null });
    expect(graded([mark("ada", true), mark("bob", null), mark("cleo", false)])).toEqual(["ada", "cleo"]);
  });

  it("settle an answer by a person's word, and make it likely by a reviewer's", () => {
    expect([1, 0.8, 0.5, 0.2, 0, null].map((p) => gradeOf(p)?.word)).toEqual([
      "right",
      "likelyRight",
      undefined,
      "likelyWrong",
      "wrong",
      undefined,
    ]);
  });
});

describe("candidates to be merged", () => {
  it("are two at most, and are taken off by being marked again", () => {
    expect(marked(["a"], "b")).toEqual(["a", "b"]);
    expect(marked(["a", "b"], "c")).toEqual(["b", "c"]);
    expect(marked(["a", "b"], "a")).toEqual(["b"]);
  });
});
