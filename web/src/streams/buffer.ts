/** A member's text while it is written. `text` only ever grows; listeners hear of it once per animation frame. */
export interface TextBuffer {
  readonly text: string;
  readonly closed: boolean;
  subscribe(listener: () => void): () => void;
}

/** Runs a function before the next picture is drawn. */
export type Schedule = (flush: () => void) => void;

const nextFrame: Schedule = (flush) => {
  requestAnimationFrame(flush);
};

/** The writing end of a TextBuffer. Pieces wait until the next frame, so that a token costs React nothing. */
export class AppendBuffer implements TextBuffer {
  #text: string;
  #waiting: string[] = [];
  #scheduled = false;
  #closed = false;
  readonly #listeners = new Set<() => void>();
  readonly #schedule: Schedule;

  constructor(text = "", schedule: Schedule = nextFrame) {
    this.#text = text;
    this.#schedule = schedule;
  }

  get text(): string {
    return this.#text;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Everything that has arrived, shown or not: what another tab is told. */
  get whole(): string {
    return this.#text + this.#waiting.join("");
  }

  append(piece: string): void {
    if (this.#closed || piece === "") return;
    this.#waiting.push(piece);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#schedule(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  /** Nothing follows. What waited is shown at once: a hidden tab draws no frames. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#flush(true);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #flush(always = false): void {
    if (this.#waiting.length === 0 && !always) return;
    this.#text = this.whole;
    this.#waiting = [];
    for (const listener of this.#listeners) listener();
  }
}
