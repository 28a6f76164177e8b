import { AppendBuffer, type Schedule, type TextBuffer } from "./buffer";
import type { KnownFrame, RunView } from "./events";
import { newRun, type Run, runState } from "./run";
import { Seen } from "./seen";

/** Everything one tab must tell another that joins: the last id, the runs, and what members have written so far. */
export interface Handover {
  readonly last: number | null;
  readonly runs: readonly Run[];
  readonly texts: readonly { readonly run: string; readonly seat: string; readonly text: string }[];
}

/** Runs that have ended are kept so many at a time; their answers stand in their conversations. */
const ENDED_KEPT = 20;

/** What runs just now, as the frames tell it: frozen states for React, and growing texts beside it. */
export class RunStore {
  #runs: ReadonlyMap<string, Run> = new Map();
  #buffers = new Map<string, Map<string, AppendBuffer>>();
  #seen = new Seen();
  readonly #listeners = new Set<() => void>();
  readonly #schedule: Schedule | undefined;

  constructor(schedule?: Schedule) {
    this.#schedule = schedule;
  }

  get runs(): ReadonlyMap<string, Run> {
    return this.#runs;
  }

  get last(): number | null {
    return this.#seen.last;
  }

  /** The text that `seat` writes in `run`; null before its first word. Another object after it was asked once more. */
  buffer(run: string, seat: string): TextBuffer | null {
    return this.#buffers.get(run)?.get(seat) ?? null;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes in a frame. Returns false for one that was here before. */
  take(frame: KnownFrame): boolean {
    if (frame.type === "snapshot") {
      this.#replace(frame.id, frame.data.runs);
      return true;
    }
    if (!this.#seen.admit(frame.id)) return false;
    if (frame.run === "") return true;
    if (frame.type === "run_forgotten") {
      this.#forget(frame.run);
      return true;
    }
    this.#set(this.#after(this.#runs.get(frame.run) ?? newRun(frame.run), frame));
    return true;
  }

  /** Lets go of everything; ids that were seen stay seen. */
  clear(): void {
    this.#clearBuffers();
    this.#runs = new Map();
    this.#tell();
  }

  handover(): Handover {
    const texts = [...this.#buffers].flatMap(([run, seats]) =>
      [...seats].map(([seat, buffer]) => ({ run, seat, text: buffer.whole })),
    );
    return { last: this.last, runs: [...this.#runs.values()], texts };
  }

  /** Begins from what another tab knows. */
  adopt({ last, runs, texts }: Handover): void {
    if (last === null) return;
    this.#seen.restart(last);
    this.#clearBuffers();
    for (const { run, seat, text } of texts) this.#open(run, seat, text);
    for (const run of runs) this.#closeDone(run);
    this.#runs = new Map(runs.map((run) => [run.id, run]));
    this.#tell();
  }

  #replace(id: number, views: readonly RunView[]): void {
    this.#seen.restart(id);
    this.#clearBuffers();
    this.#runs = new Map(views.map((view) => [view.id, this.#retold(view)]));
    this.#tell();
  }

  #retold(view: RunView): Run {
    const start: Run = {
      ...newRun(view.id),
      kind: view.kind,
      text: view.text,
      conversationId: view.conversation_id,
    };
    const run = view.frames.reduce((now, frame) => this.#after(now, frame), start);
    return view.state === "running" ? run : { ...run, state: view.state, problem: view.problem };
  }

  /** The state after `frame`; text goes to its buffer on the way. */
  #after(run: Run, frame: KnownFrame): Run {
    const next = runState(run, frame);
    if (frame.type === "answer_delta") this.#write(run, frame.data.seat, frame.data.text);
    else if (frame.type === "member_retried") this.#drop(run.id, frame.data.seat);
    // One that never wrote has no text of its own: its answer is shown instead.
    else if (frame.type === "answer_done") this.#buffers.get(run.id)?.get(frame.data.answer.seat.name)?.close();
    else if (frame.type === "ask_started" && run.queryId !== null && next.queryId !== run.queryId) this.#drop(run.id);
    else if (frame.type === "run_ended") this.#closeAll(run.id);
    return next;
  }

  #write(run: Run, seat: string, text: string): void {
    const done = run.members.some((member) => member.seat.name === seat && member.answer !== null);
    if (!done && run.state === "running") this.#open(run.id, seat).append(text);
  }

  #open(run: string, seat: string, text = ""): AppendBuffer {
    const seats = this.#buffers.get(run) ?? new Map<string, AppendBuffer>();
    this.#buffers.set(run, seats);
    const buffer = seats.get(seat) ?? new AppendBuffer(text, this.#schedule);
    seats.set(seat, buffer);
    return buffer;
  }

  #drop(run: string, seat?: string): void {
    for (const [name, buffer] of this.#buffers.get(run) ?? []) {
      if (seat !== undefined && name !== seat) continue;
      buffer.close();
      this.#buffers.get(run)?.delete(name);
    }
  }

  #closeAll(run: string): void {
    for (const buffer of this.#buffers.get(run)?.values() ?? []) buffer.close();
  }

  #closeDone(run: Run): void {
    if (run.state !== "running") this.#closeAll(run.id);
    for (const member of run.members) if (member.answer) this.#buffers.get(run.id)?.get(member.seat.name)?.close();
  }

  #clearBuffers(): void {
    for (const run of this.#buffers.keys()) this.#closeAll(run);
    this.#buffers = new Map();
  }

  #set(run: Run): void {
    if (this.#runs.get(run.id) === run) return;
    const runs = new Map(this.#runs).set(run.id, run);
    const ended = [...runs.values()].filter((each) => each.state !== "running");
    for (const old of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) {
      runs.delete(old.id);
      this.#buffers.delete(old.id);
    }
    this.#runs = runs;
    this.#tell();
  }

  /** What a run was about was deleted: nothing of it is shown any more. */
  #forget(run: string): void {
    this.#drop(run);
    this.#buffers.delete(run);
    if (!this.#runs.has(run)) return;
    this.#runs = new Map([...this.#runs].filter(([id]) => id !== run));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
