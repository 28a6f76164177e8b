type Listener = (error: Error) => void;

const listeners = new Set<Listener>();

/** Tells whoever shows failures (the shell's toasts) that something a person wanted did not happen. */
export function reportFailure(error: Error): void {
  for (const listener of listeners) listener(error);
}

export function onFailure(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
