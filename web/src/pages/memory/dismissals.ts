import { useSyncExternalStore } from "react";

/**
 * Dismissing erases the words of a proposal at once, so the server cannot take it back. The page waits for as long as
 * its "Undo" can be pressed; a page that is closed meanwhile leaves the proposal where it was.
 */
export class Dismissals {
  #hidden: ReadonlySet<string> = new Set();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #listeners = new Set<() => void>();

  get hidden(): ReadonlySet<string> {
    return this.#hidden;
  }

  /** Hides `id` now, and calls `commit` after `milliseconds` unless it is taken back. */
  begin(id: string, milliseconds: number, commit: () => Promise<unknown>): void {
    this.takeBack(id);
    this.#show(new Set([...this.#hidden, id]));
    const finish = () => {
      this.#timers.delete(id);
      commit().catch(() => this.#show(without(this.#hidden, id)));
    };
    this.#timers.set(id, setTimeout(finish, milliseconds));
  }

  /** Returns whether it was still in time. */
  takeBack(id: string): boolean {
    const timer = this.#timers.get(id);
    if (timer === undefined) return false;
    clearTimeout(timer);
    this.#timers.delete(id);
    this.#show(without(this.#hidden, id));
    return true;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #show(hidden: ReadonlySet<string>): void {
    this.#hidden = hidden;
    for (const listener of this.#listeners) listener();
  }
}

function without(all: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...all].filter((each) => each !== id));
}

export const dismissals = new Dismissals();
const subscribe = (listener: () => void) => dismissals.subscribe(listener);

export function useDismissed(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => dismissals.hidden);
}
