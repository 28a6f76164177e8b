import { describe, expect, it } from "vitest";
import { fitting } from "./commands";
import { healthWords, nearWords } from "./Notes";
import { aroundFirst, marked, markedWords, textOf } from "./pieces";
import { noteSearch, recentSearches } from "./recent";
import { sectionsOf } from "./sections";
import { begun, dayOf, filled, hasFilter, openFilter, wordsOf } from "./typed";

describe("filters as they are typed", () => {
  it("are offered values while they are open", () => {
    expect(openFilter("choir project:ch")).toEqual({ filter: "project", value: "ch" });
    expect(openFilter('project:"my ch')).toEqual({ filter: "project", value: "my ch" });
    expect(openFilter("project:choir ")).toBeNull();
    expect(openFilter("approject:x")).toBeNull();
  });
  it("are filled in, quoted where there are blanks", () => {
    expect(filled("choir project:ch", "Choir")).toBe("choir project:Choir ");
    expect(filled('project:"my', "My choir")).toBe('project:"My choir" ');
    expect(begun("choir ", "before")).toBe("choir before:");
    expect(begun("", "before")).toBe("before:");
  });
  it("are no words, and neither is what is left out", () => {
    expect(wordsOf('choir project:"My choir" -bass "high c" after:2026-01-01')).toEqual(["choir", "high", "c"]);
    expect(hasFilter("choir after:2026")).toBe(true);
    expect(hasFilter("choir after:")).toBe(false);
  });
  it("take a day of the reader's calendar", () => {
    expect(dayOf(new Date(2026, 4, 3))).toBe("2026-05-03");
  });
});

describe("marks", () => {
  it("keep every letter, whatever the words are", () => {
    const text = "A choir (of 53) sings. CHOIR!";
    for (const words of [["choir"], ["(of"], ["<b>"], [""], []]) expect(textOf(marked(text, words))).toBe(text);
    expect(marked(text, ["choir"]).filter((each) => each.hit)).toHaveLength(2);
  });
  it("are in sight on one line", () => {
    const long = [{ text: "word ".repeat(40), hit: false }, { text: "choir", hit: true }];
    expect(textOf(aroundFirst(long)).length).toBeLessThan(60);
    expect(textOf(aroundFirst(long)).endsWith("choir")).toBe(true);
  });
});

const GIVEN = { text: "", recent: [], values: [], commands: [], found: undefined, memories: [], meant: [], titles: new Map() } as const;

describe("sections", () => {
  it("begin with what was searched and can be done, while nothing is typed", () => {
    const commands = [{ key: "ask", icon: "plus", run: () => undefined }] as const;
    const sections = sectionsOf({ ...GIVEN, recent: ["choir"], commands });
    expect(sections.map((each) => each.key)).toEqual(["recent", "commands"]);
  });
  it("say by meaning only what the words have not found", () => {
    const passage = { conversation_id: "c", message_id: "m1", said_at: "2026-11-01T00:00:00Z", score: 0.5, text: "one" };
    const meant = [{ passage, title: "" }, { passage: { ...passage, message_id: "m2" }, title: "" }];
    const hit = { conversation_id: "c", message_id: "m1", role: "user" as const, at: "2026-11-01T00:00:00Z", snippet: [] };
    const found = { conversations: [], messages: [hit], instead: [], more: false, near: "words" as const, order: "recency" as const };
    const sections = sectionsOf({ ...GIVEN, text: "single", found, meant });
    expect(sections.find((each) => each.key === "meaning")?.choices.map((each) => each.id)).toEqual(["meant m2"]);
  });
  it("put a passage that holds what is typed under the messages, marked", () => {
    const passage = { conversation_id: "c", said_at: "2026-11-01T00:00:00Z", score: 0.5 };
    const texts = ["Our Choír has 53 members.", "We sing on Mondays.", "The choirmaster is late."];
    const meant = texts.map((text, at) => ({ passage: { ...passage, message_id: `m${at}`, text }, title: "" }));
    const ids = (text: string) =>
      Object.fromEntries(sectionsOf({ ...GIVEN, text, meant }).map((each) => [each.key, each.choices.map((one) => one.id)]));
    expect(ids("choir")).toEqual({ messages: ["meant m0", "meant m2"], meaning: ["meant m1"] });
    expect(ids("choir mem")).toEqual({ messages: ["meant m0"], meaning: ["meant m1", "meant m2"] });
    expect(markedWords("Our Choír has 53 members.", ["choir", "mem"]).filter((each) => each.hit).map((each) => each.text)).toEqual(["Choír", "mem"]);
    expect(textOf(markedWords("none of it", ["choir"]))).toBe("none of it");
  });
  it("offer commands by the beginnings of their words", () => {
    const commands = (["settings", "dark", "light", "ask"] as const).map((key) => ({ key }));
    expect(fitting(commands, ["the"]).map((each) => each.key)).toEqual(["dark", "light"]);
    expect(fitting(commands, ["dark", "th"]).map((each) => each.key)).toEqual(["dark"]);
    expect(fitting(commands, ["x"])).toEqual([]);
  });
});

describe("what is said about results", () => {
  it("names the words that were searched instead", () => {
    expect(nearWords({ near: "spelling", instead: ["choir"] })).toContain("“choir”");
    expect(nearWords({ near: "words", instead: [] })).toBe("");
  });
  it("tells how the index stands only where that matters", () => {
    const sound = { messages: 2, indexed: 2, conversations: 1, waiting: 0, stuck: 0, missing: 0, extra: 0, rebuilding: false, worker: "running", pending: {}, sound: true } as const;
    expect(healthWords(sound)).toBe("");
    expect(healthWords({ ...sound, waiting: 3 })).toContain("3 conversations");
    expect(healthWords({ ...sound, missing: 1 })).toContain("not whole");
  });
  it("keeps the last searches once each, newest first", () => {
    for (const each of ["a", "b", "a ", "", "c", "d", "e", "f"]) noteSearch(each);
    expect(recentSearches()).toEqual(["f", "e", "d", "c", "a"]);
  });
});
