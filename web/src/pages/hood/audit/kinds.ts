import type { Kind } from "./reads";

/** Each kind once: the server's list and this one cannot drift apart without the types saying so. */
const ALL: Readonly<Record<Kind, true>> = {
  query: true,
  run: true,
  grade: true,
  correction_created: true,
  correction_edited: true,
  correction_applied: true,
  correction_superseded: true,
  correction_erased: true,
  promotion: true,
  rollback: true,
  auth_failure: true,
  settings_change: true,
  egress: true,
  export: true,
  read_private: true,
  erased: true,
  trace: true,
  verdict: true,
  checkpoint: true,
  backup: true,
  restore: true,
  self_test: true,
  model: true,
  review: true,
  domain: true,
  weights: true,
  handoff_note: true,
  recovery_prompt: true,
  conversation: true,
  project: true,
  import: true,
  token: true,
};

/** Every kind of entry, by name. */
export const KINDS = (Object.keys(ALL) as Kind[]).sort();
