import { api } from "../api/client";
import { dropConversation } from "../api/deleted";
import { queryClient } from "../api/queries";
import { forgetDrafts } from "./draft";

/** Temporary conversations of this tab: they are deleted when it leaves them. */
const KEY = "auritas.temporary";

function ids(): readonly string[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

function keep(next: readonly string[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Where nothing can be noted, the server deletes them after a day.
  }
}

export function noteTemporary(id: string): void {
  if (!isTemporary(id)) keep([...ids(), id]);
}

export function isTemporary(id: string): boolean {
  return ids().includes(id);
}

/** Deletes the temporary conversations of this tab, all but `except`. Resolves to how many there were. */
export async function endTemporary(except: string | null): Promise<number> {
  const left = ids().filter((each) => each !== except);
  keep(ids().filter((each) => each === except));
  for (const id of left) {
    forgetDrafts(id);
    dropConversation(queryClient, id);
  }
  // One that is gone already is what was wanted; one that cannot be deleted now is deleted by the server after a day.
  await Promise.allSettled(
    left.map((id) => api.DELETE("/api/v1/conversations/{conversation_id}", { params: { path: { conversation_id: id } } })),
  );
  return left.length;
}
