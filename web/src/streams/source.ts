import { FRAME_TYPES, type KnownFrame, readFrame } from "./events";

/** How the stream stands: `live` once something has come through, `lost` after it broke and until it is back. */
export type Connection = "connecting" | "live" | "lost";

/** The part of EventSource that is used: a seam for tests. */
export interface EventStream {
  onopen: ((event: Event) => void) | null;
  onerror: ((event: Event) => void) | null;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface SourceParts {
  readonly open: (address: string) => EventStream;
  /** Calls back after so many milliseconds; returns what cancels it. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  /** Calls back when somebody looks at the page again, or the network is back; returns what ends that. */
  readonly onWake: (call: () => void) => () => void;
  /** A number in [0, 1). */
  readonly random: () => number;
}

export interface SourceListener {
  readonly last: () => number | null;
  readonly onFrame: (frame: KnownFrame) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The stream broke; a page may ask the server why, since an EventSource does not say. */
  readonly onLost: () => void;
}

const ADDRESS = "/api/v1/events";
/** Milliseconds to wait before the first new try, and at most. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

/** Milliseconds before try number `tries` (from 0): doubling, with half of it left to chance so that tabs do not march. */
export function backoff(tries: number, random: number): number {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(tries, 16));
  return most / 2 + (most / 2) * random;
}

export const browserParts: SourceParts = {
  open: (address) => new EventSource(address),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
  onWake: (call) => {
    const leave = new AbortController();
    for (const type of ["focus", "online"]) window.addEventListener(type, call, { signal: leave.signal });
    return () => leave.abort();
  },
  random: Math.random,
};

/** Follows the server's events and starts again after the last id whenever the stream breaks. Returns what ends it. */
export function follow(listener: SourceListener, parts: SourceParts = browserParts): () => void {
  let tries = 0;
  let stream: EventStream | null = null;
  let cancel: (() => void) | null = null;

  const connect = () => {
    cancel = null;
    const last = listener.last();
    const opened = parts.open(last === null ? ADDRESS : `${ADDRESS}?after=${last}`);
    stream = opened;
    opened.onopen = () => {
      tries = 0;
      listener.onConnection("live");
    };
    opened.onerror = () => lose(opened);
    for (const type of FRAME_TYPES) opened.addEventListener(type, (event) => read(event.data));
  };

  const lose = (broken: EventStream) => {
    // The browser's own retry has no backoff, and it cannot resume in another tab: ours does both.
    broken.close();
    if (broken !== stream) return;
    stream = null;
    listener.onConnection("lost");
    listener.onLost();
    cancel = parts.after(backoff(tries, parts.random()), connect);
    tries += 1;
  };

  const hurry = () => {
    if (cancel === null) return;
    cancel();
    connect();
  };

  const read = (text: string) => {
    const frame = readFrame(text);
    if (frame) listener.onFrame(frame);
  };

  listener.onConnection("connecting");
  connect();
  const sleep = parts.onWake(hurry);
  return () => {
    sleep();
    cancel?.();
    stream?.close();
    stream = null;
  };
}
