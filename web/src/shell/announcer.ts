import { shown } from "../markdown/text";
type Listener = (text: string) => void;

const listeners = new Set<Listener>();

/** Says something to screen readers without moving focus: an answer is final, a filter found three rows. */
export function announce(text: string): void {
  for (const listener of listeners) listener(shown(text));
}

export function onAnnouncement(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
