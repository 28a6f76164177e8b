import { type Channel, type Election, lockElection, type Message, openChannel } from "./browser";
import type { KnownFrame } from "./events";
import { type Connection, follow, type SourceListener } from "./source";
import { staleAfter } from "./stale";
import { type Handover, RunStore } from "./store";

export interface HubParts {
  readonly channel: () => Channel;
  readonly elect: Election;
  readonly follow: (listener: SourceListener) => () => void;
}

export interface HubNews {
  /** Something that pages show is different: memory, conversations, models, … */
  readonly onChanged: (what: string) => void;
  /** What was missed cannot be told: everything that pages show may be different. */
  readonly onGap: () => void;
  /** The stream broke. Only the tab that leads hears of it first; it asks the server why. */
  readonly onLost: () => void;
  /** Another tab has destroyed everything. */
  readonly onGone: () => void;
  /** The stream is open: this browser is let in, and what could not be read before can be. */
  readonly onLive: () => void;
}

const BROWSER: HubParts = { channel: openChannel, elect: lockElection, follow: (listener) => follow(listener) };

/** One stream for all tabs of a browser: one tab follows the server and tells the others. */
export class Hub {
  readonly store: RunStore;
  #connection: Connection = "connecting";
  #leads = false;
  /** Whether this tab knows what runs. Until then frames mean nothing to it: it would begin in the middle. */
  #joined = false;
  #channel: Channel | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #news: HubNews;
  readonly #parts: HubParts;

  constructor(news: HubNews, store = new RunStore(), parts: HubParts = BROWSER) {
    this.#news = news;
    this.store = store;
    this.#parts = parts;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Hears of changes of the connection. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Joins the other tabs. Returns what leaves them. */
  start(): () => void {
    const leave = new AbortController();
    const channel = this.#parts.channel();
    this.#channel = channel;
    channel.listen((message) => this.#hear(message));
    channel.send({ kind: "hello" });
    void this.#parts.elect(() => this.#lead(), leave.signal);
    return () => {
      leave.abort();
      channel.close();
      this.#channel = null;
    };
  }

  /** Tells the other tabs that everything was destroyed from this one. */
  end(): void {
    this.#channel?.send({ kind: "gone" });
  }

  #lead(): () => void {
    this.#leads = true;
    if (this.store.last !== null) this.#welcome();
    const stop = this.#parts.follow({
      last: () => this.store.last,
      onFrame: (frame) => {
        this.#take(frame);
        this.#channel?.send({ kind: "frame", frame });
      },
      onConnection: (connection) => {
        this.#connected(connection);
        this.#channel?.send({ kind: "connection", connection });
      },
      onLost: () => {
        this.#news.onLost();
        this.#channel?.send({ kind: "lost" });
      },
    });
    return () => {
      this.#leads = false;
      stop();
    };
  }

  #hear(message: Message): void {
    if (message.kind === "hello") this.#welcome();
    else if (message.kind === "gone") this.#news.onGone();
    else if (message.kind === "lost") this.#news.onLost();
    else if (message.kind === "frame") this.#take(message.frame);
    else if (message.kind === "connection") this.#connected(message.connection);
    else this.#join(message.handover, message.connection);
  }

  #join(handover: Handover, connection: Connection): void {
    if (this.#joined || this.#leads || handover.last === null) return;
    this.#joined = true;
    this.store.adopt(handover);
    this.#connected(connection);
  }

  #welcome(): void {
    if (!this.#leads) return;
    this.#channel?.send({ kind: "handover", handover: this.store.handover(), connection: this.#connection });
  }

  #take(frame: KnownFrame): void {
    if (frame.type === "snapshot") this.#joined = true;
    if (!this.#joined) return;
    const gap = frame.type === "snapshot" && this.store.last !== null;
    if (!this.store.take(frame)) return;
    if (gap) this.#news.onGap();
    for (const what of staleAfter(frame)) this.#news.onChanged(what);
  }

  #connected(connection: Connection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    if (connection === "live") this.#news.onLive();
    for (const listener of this.#listeners) listener();
  }
}
