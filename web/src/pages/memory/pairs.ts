import { useState } from "react";

/** Pairs of which the reader said that both hold. The server only proposes pairs, so this browser remembers them. */
const KEY = "auritas.memory.both";
/** The oldest are forgotten, and proposed once more. */
const MOST = 500;

interface Pair {
  readonly newer: { readonly id: string };
  readonly older: { readonly id: string };
}

function nameOf({ newer, older }: Pair): string {
  return `${newer.id} ${older.id}`;
}

function stored(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

function store(names: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(names.slice(-MOST)));
  } catch {
    // A browser that refuses storage asks again after a reload.
  }
}

/** Which pairs are still to be settled, and how to keep both of one. */
export function useKeptPairs() {
  const [kept, setKept] = useState(stored);
  const set = (next: readonly string[]) => {
    setKept(next);
    store(next);
  };
  return {
    open: <T extends Pair>(pairs: readonly T[]) => pairs.filter((each) => !kept.includes(nameOf(each))),
    keep: (pair: Pair) => set([...kept, nameOf(pair)]),
    ask: (pair: Pair) => set(stored().filter((each) => each !== nameOf(pair))),
  };
}
