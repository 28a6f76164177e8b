import { describe, expect, it } from "vitest";
import type { Channel, Message } from "./browser";
import { frame, started } from "./frames.test-support";
import { Hub } from "./hub";
import type { SourceListener } from "./source";
import { RunStore } from "./store";

/** One browser: tabs that hear each other, and a lock that passes to the next tab in line. */
class Browser {
  readonly channels = new Set<(message: Message) => void>();
  readonly queue: (() => () => void)[] = [];
  readonly opened: SourceListener[] = [];
  live = 0;
  gone = 0;
  #leader: (() => void) | null = null;

  tab(changed: string[] = [], gaps: number[] = []) {
    let end: () => void = () => undefined;
    const hub = new Hub(
      { onChanged: (what) => changed.push(what), onGap: () => gaps.push(1), onLost: () => undefined, onLive: () => (this.live += 1), onGone: () => (this.gone += 1) },
      new RunStore((flush) => flush()),
      {
        channel: () => this.#channel(),
        elect: (lead, signal) => {
          this.queue.push(lead);
          this.#next();
          signal.addEventListener("abort", () => end());
          end = () => {
            if (this.queue[0] !== lead) return;
            this.#leader?.();
            this.#leader = null;
            this.queue.shift();
            this.#next();
          };
          return Promise.resolve();
        },
        follow: (listener) => {
          this.opened.push(listener);
          return () => undefined;
        },
      },
    );
    return { hub, close: hub.start() };
  }

  #next(): void {
    const lead = this.queue[0];
    if (this.#leader === null && lead) this.#leader = lead();
  }

  #channel(): Channel {
    let own: ((message: Message) => void) | null = null;
    return {
      send: (message) => {
        for (const listener of this.channels) if (listener !== own) listener(structuredClone(message));
      },
      listen: (listener) => {
        own = listener;
        this.channels.add(listener);
      },
      close: () => {
        if (own) this.channels.delete(own);
      },
    };
  }
}

const snapshot = (id: number) => frame(id, "snapshot", { runs: [] }, "");

describe("tabs of one browser", () => {
  it("open one stream together, and each knows every frame", () => {
    const browser = new Browser();
    const tabs = [browser.tab(), browser.tab(), browser.tab()];
    browser.opened[0]?.onFrame(snapshot(1));
    browser.opened[0]?.onFrame(started(2, "q1", "a"));
    expect(browser.opened.length).toBe(1);
    expect(tabs.map(({ hub }) => hub.store.runs.get("r1")?.queryId)).toEqual(["q1", "q1", "q1"]);
  });

  it("take the stream over, after the last id, when the tab that held it closes", () => {
    const browser = new Browser();
    const first = browser.tab();
    browser.tab();
    browser.opened[0]?.onFrame(snapshot(1));
    browser.opened[0]?.onFrame(started(7, "q1", "a"));
    first.close();
    expect(browser.opened.length).toBe(2);
    expect(browser.opened[1]?.last()).toBe(7);
  });

  it("tell a tab that joins in the middle what it has missed", () => {
    const browser = new Browser();
    browser.tab();
    browser.opened[0]?.onConnection("live");
    browser.opened[0]?.onFrame(snapshot(1));
    browser.opened[0]?.onFrame(started(2, "q1", "a"));
    browser.opened[0]?.onFrame(frame(3, "answer_delta", { seat: "a", text: "Can" }));
    const { hub } = browser.tab();
    browser.opened[0]?.onFrame(frame(4, "answer_delta", { seat: "a", text: "berra" }));
    expect(hub.store.buffer("r1", "a")?.text).toBe("Canberra");
    expect(hub.connection).toBe("live");
    expect(browser.live).toBe(2);
  });

  it("read anew what is said to be different, and everything after a gap", () => {
    const browser = new Browser();
    const changed: string[] = [];
    const gaps: number[] = [];
    browser.tab();
    browser.tab(changed, gaps);
    browser.opened[0]?.onFrame(snapshot(1));
    browser.opened[0]?.onFrame(frame(2, "changed", { what: "memory" }, ""));
    expect([changed, gaps.length]).toEqual([["memory", "messages", "questions"], 0]);
    browser.opened[0]?.onFrame(snapshot(90));
    expect(gaps.length).toBe(1);
  });

  it("hear at once when one of them has destroyed everything, which keeps its own page", () => {
    const browser = new Browser();
    const { hub } = browser.tab();
    browser.tab();
    browser.tab();
    hub.end();
    expect(browser.gone).toBe(2);
  });
});
