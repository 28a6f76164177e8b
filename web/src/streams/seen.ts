/** How many ids are remembered: more than two tabs can overlap by when one takes the stream over from the other. */
const WINDOW = 2048;

/** Which frames have been here. One that is late is still let in; one that was here, or is too old to tell, is not. */
export class Seen {
  #ids = new Set<number>();
  #floor: number;
  #last: number | null;

  constructor(last: number | null = null) {
    this.#last = last;
    this.#floor = last ?? -1;
  }

  /** The highest id so far: the stream is resumed after it. Null before the first frame. */
  get last(): number | null {
    return this.#last;
  }

  /** Whether `id` is new; it is not from now on. */
  admit(id: number): boolean {
    if (id <= this.#floor || this.#ids.has(id)) return false;
    this.#ids.add(id);
    this.#last = Math.max(id, this.#last ?? id);
    if (this.#ids.size > 2 * WINDOW) this.#forgetOldest();
    return true;
  }

  /** Everything up to `id` is known: a snapshot contains it. */
  restart(id: number): void {
    this.#ids = new Set();
    this.#floor = id;
    this.#last = id;
  }

  #forgetOldest(): void {
    const ids = [...this.#ids].sort((a, b) => a - b);
    this.#floor = ids[WINDOW - 1] ?? this.#floor;
    this.#ids = new Set(ids.slice(WINDOW));
  }
}
