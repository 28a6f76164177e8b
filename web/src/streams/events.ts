import type { Schemas } from "../api/client";

/**
 * A type of the server as it is written: every field is there, defaults included, and nothing changes it here. Times are
 * ISO 8601, money is in millionths.
 */
export type Whole<T> = T extends readonly (infer Item)[]
  ? readonly Whole<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Whole<T[Key]> }
    : T;

export type AccuracyLevel = Schemas["AccuracyLevel"];
export type Seat = Whole<Schemas["Seat"]>;
export type Failure = Whole<Schemas["Failure"]>;
export type Usage = Whole<Schemas["Usage"]>;
export type Answer = Whole<Schemas["Answer"]>;
export type Candidate = Whole<Schemas["Candidate"]>;
export type Decision = Whole<Schemas["Decision"]>;
export type Review = Whole<Schemas["Review"]>;
export type Correction = Whole<Schemas["Correction"]>;
export type MemoryUse = Whole<Schemas["MemoryUse"]>;
export type MemoryUsed = Whole<Schemas["MemoryUsed"]>;
export type Passage = Whole<Schemas["Passage"]>;
export type Expected = Whole<Schemas["Expected"]>;
export type AskResult = Whole<Schemas["AskResult"]>;
export type Remembered = Whole<Schemas["Remembered"]>;
export type Notice = Whole<Schemas["Notice"]>;
export type Progress = Whole<Schemas["Progress"]>;
/** Why something failed: a stable code, a sentence, and what to do. */
export type Problem = Whole<Schemas["Problem"]>;
/** A run as a snapshot tells it: what has happened in it, as frames. */
export type RunView = Whole<Schemas["RunView"]>;
export type RunEnd = Exclude<Schemas["RunState"], "running">;

/** Everything that runs, for whoever joins or has missed something: it replaces what was known. */
export interface SnapshotFrame {
  readonly id: number;
  readonly run: string;
  readonly type: "snapshot";
  readonly data: Whole<Schemas["Snapshot"]>;
}

/** One event of one run. `id` grows without end; `run` is empty for what belongs to none. */
export type KnownFrame = RunView["frames"][number] | SnapshotFrame;
export type FrameType = KnownFrame["type"];

/** The data of each type of frame. The names are those of the kernel's events in snake case. */
export type FrameData = { readonly [Frame in KnownFrame as Frame["type"]]: Frame["data"] };

const TYPES: Readonly<Record<FrameType, true>> = {
  run_started: true,
  run_ended: true,
  run_forgotten: true,
  snapshot: true,
  changed: true,
  ask_started: true,
  memory_used: true,
  remembered: true,
  proposed: true,
  acknowledged: true,
  member_reading: true,
  answer_delta: true,
  member_retried: true,
  answer_done: true,
  decided: true,
  review_started: true,
  review_done: true,
  ask_finished: true,
  notice: true,
  progress: true,
};

/** Names under which an EventSource must listen. */
export const FRAME_TYPES = Object.keys(TYPES) as readonly FrameType[];

/** Whether a page of this version knows frames of this type. A newer server may send others; they are passed over. */
export function isKnown(frame: { readonly type: string }): frame is KnownFrame {
  return Object.hasOwn(TYPES, frame.type);
}

/** Reads one frame from the text of an event, or null where it is not a frame. */
export function readFrame(text: string): KnownFrame | null {
  const value: unknown = parsed(text);
  if (typeof value !== "object" || value === null) return null;
  const { id, run, type, data } = value as Partial<Record<"id" | "run" | "type" | "data", unknown>>;
  const shaped = typeof id === "number" && typeof run === "string" && typeof type === "string";
  if (!shaped || typeof data !== "object" || data === null) return null;
  // The server writes the data of a type in one way only: one typed list of events for both.
  const frame = value as { readonly type: string };
  return isKnown(frame) ? frame : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
