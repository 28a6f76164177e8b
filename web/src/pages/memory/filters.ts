import { useSyncExternalStore } from "react";
import type { CorrectionType, Scope, State } from "./corrections";

/** Which of what is remembered is shown. What is empty narrows nothing. */
export interface Filters {
  readonly state: Extract<State, "active" | "superseded">;
  readonly type: CorrectionType | "";
  readonly scope: Scope | "";
  readonly projectId: string;
  readonly pinned: boolean;
  readonly text: string;
}

export const NO_FILTERS: Filters = { state: "active", type: "", scope: "", projectId: "", pinned: false, text: "" };

/** The filters as the server's query has them. A project is asked for only where something may hold in one. */
export function queryOf(filters: Filters) {
  const { state, type, scope, projectId, pinned, text } = filters;
  const project = projectId !== "" && (scope === "" || scope === "project");
  return {
    state: [state],
    ...(type === "" ? {} : { type: [type] }),
    ...(scope === "" ? {} : { scope: [scope] }),
    ...(project ? { project_id: projectId } : {}),
    ...(pinned ? { pinned: true } : {}),
    ...(text.trim() === "" ? {} : { text: text.trim() }),
  };
}

/** Whether anything but the state is narrowed. */
export function narrows({ type, scope, projectId, pinned, text }: Filters): boolean {
  return type !== "" || scope !== "" || projectId !== "" || pinned || text.trim() !== "";
}

/** The filters outlive the list: opening one thing on a phone and going back shows the same list again. */
let filters = NO_FILTERS;
const listeners = new Set<() => void>();

export function setFilters(change: Partial<Filters>): void {
  filters = { ...filters, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useFilters(): Filters {
  return useSyncExternalStore(subscribe, () => filters);
}
