/** A buffer whose pieces are heard of at once: tests decide when time passes. */
import type { TextBuffer } from "../src/streams/buffer";

export class TestBuffer implements TextBuffer {
  text = "";
  closed = false;
  readonly #listeners = new Set<() => void>();

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  append(piece: string): void {
    this.text += piece;
    this.#tell();
  }

  close(): void {
    this.closed = true;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
