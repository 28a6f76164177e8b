import { describe, expect, it } from "vitest";
import type { KnownFrame } from "./events";
import { backoff, type Connection, type EventStream, follow } from "./source";

class ScriptedStream implements EventStream {
  onopen: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  closed = false;
  readonly address: string;
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();

  constructor(address: string) {
    this.address = address;
  }

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.closed = true;
  }

  says(id: number): void {
    const data = JSON.stringify({ id, run: "", type: "changed", data: { what: "memory" } });
    this.#listeners.get("changed")?.(new MessageEvent("changed", { data }));
  }
}

function followed() {
  const streams: ScriptedStream[] = [];
  const waits: { milliseconds: number; call: () => void; cancelled: boolean }[] = [];
  const connections: Connection[] = [];
  const frames: KnownFrame[] = [];
  let lost = 0;
  let wake: () => void = () => undefined;
  const stop = follow(
    {
      last: () => frames.at(-1)?.id ?? null,
      onFrame: (frame) => frames.push(frame),
      onConnection: (connection) => connections.push(connection),
      onLost: () => (lost += 1),
    },
    {
      open: (address) => {
        const stream = new ScriptedStream(address);
        streams.push(stream);
        return stream;
      },
      after: (milliseconds, call) => {
        const wait = { milliseconds, call, cancelled: false };
        waits.push(wait);
        return () => (wait.cancelled = true);
      },
      onWake: (call) => {
        wake = call;
        return () => (wake = () => undefined);
      },
      random: () => 0.5,
    },
  );
  return { streams, waits, connections, frames, stop, wake: () => wake(), lost: () => lost };
}

describe("the stream of events", () => {
  it("resumes after the last id when it breaks", () => {
    const { streams, waits, connections, frames, lost } = followed();
    streams[0]?.onopen?.(new Event("open"));
    streams[0]?.says(41);
    streams[0]?.onerror?.(new Event("error"));
    expect(streams[0]?.closed).toBe(true);
    waits[0]?.call();
    streams[1]?.onopen?.(new Event("open"));
    expect(streams.map((stream) => stream.address)).toEqual(["/api/v1/events", "/api/v1/events?after=41"]);
    expect(connections).toEqual(["connecting", "live", "lost", "live"]);
    expect([frames.length, lost()]).toEqual([1, 1]);
  });

  it("waits longer after each try in a row, and begins short again once it was live", () => {
    const { streams, waits } = followed();
    for (let at = 0; at < 3; at += 1) {
      streams[at]?.onerror?.(new Event("error"));
      waits[at]?.call();
    }
    streams[3]?.onopen?.(new Event("open"));
    streams[3]?.onerror?.(new Event("error"));
    expect(waits.map((wait) => wait.milliseconds)).toEqual([375, 750, 1500, 375]);
  });

  it("tries at once when somebody looks at the page again, and only while it waits", () => {
    const { streams, waits, wake } = followed();
    wake();
    expect(streams.length).toBe(1);
    streams[0]?.onerror?.(new Event("error"));
    wake();
    wake();
    expect([streams.length, waits[0]?.cancelled]).toEqual([2, true]);
  });

  it("opens nothing more once it is stopped", () => {
    const { streams, waits, stop } = followed();
    streams[0]?.onerror?.(new Event("error"));
    stop();
    expect(waits[0]?.cancelled).toBe(true);
  });

  it("waits fifteen seconds at most, with half of it left to chance", () => {
    expect([backoff(40, 0), backoff(40, 1)]).toEqual([7_500, 15_000]);
  });
});
