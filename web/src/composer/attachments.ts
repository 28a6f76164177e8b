import { useCallback, useRef, useState } from "react";
import { ApiError, errorFrom } from "../api/errors";
import { announce } from "../shell/announcer";
import { en } from "../strings/en";

/** What the server says of a file that it took. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly kind: "text" | "picture";
  readonly media_type: string;
  readonly size: number;
  readonly pages: number;
  readonly characters: number;
}

/** A file on its way, or there. */
export interface Attaching {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** Share of it that was sent, in [0, 1]. */
  readonly sent: number;
  readonly done: Attachment | null;
  /** Why it was refused; empty else. */
  readonly problem: string;
}

export const LARGEST_BYTES = 20_000_000;
export const MOST_FILES = 10;
export const ACCEPTED = ".txt,.text,.md,.markdown,.csv,.tsv,.json,.log,.pdf,.png,.jpg,.jpeg,.webp,.gif,text/*,image/*";

interface Sending {
  readonly done: Promise<Attachment>;
  readonly cancel: () => void;
}

/** Sends a file as it is. fetch() cannot tell how much of a body has gone; the older request can. */
export function send(file: File, name: string, onSent: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<Attachment>((resolve, reject) => {
    request.open("POST", `/api/v1/attachments?name=${encodeURIComponent(name)}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = (event) => onSent(event.lengthComputable ? event.loaded / event.total : 0);
    request.onload = () => {
      const ok = request.status >= 200 && request.status < 300;
      if (ok) resolve(request.response as Attachment);
      else reject(errorFrom(request.status, request.response, en.composer.file.notSent));
    };
    request.onerror = () => reject(new ApiError(0, "server_gone", en.api.gone, en.api.goneRemedy));
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

/** The files of the message that is being written. */
export function useAttachments() {
  const [files, setFiles] = useState<readonly Attaching[]>([]);
  const sending = useRef(new Map<number, Sending>());
  const next = useRef(0);
  const change = useCallback(
    (key: number, news: Partial<Attaching>) =>
      setFiles((before) => before.map((each) => (each.key === key ? { ...each, ...news } : each))),
    [],
  );
  const start = useCallback(
    (file: File, key: number, name: string) => {
      const going = send(file, name, (sent) => change(key, { sent }));
      sending.current.set(key, going);
      going.done
        .then((done) => {
          change(key, { done, sent: 1 });
          announce(en.composer.file.attached(name));
        })
        .catch((error: unknown) => change(key, { problem: error instanceof Error ? error.message : en.composer.file.notSent }))
        .finally(() => sending.current.delete(key));
    },
    [change],
  );
  const add = useCallback(
    (chosen: readonly File[]) => {
      const room = Math.max(0, MOST_FILES - files.length);
      const made = chosen.map((file, at): { file: File; entry: Attaching } => {
        next.current += 1;
        const name = file.name || en.composer.file.pasted(file.type.split("/")[1] ?? "txt");
        const problem = refusal(file, at < room);
        return { file, entry: { key: next.current, name, size: file.size, sent: 0, done: null, problem } };
      });
      setFiles((before) => [...before, ...made.map((each) => each.entry)]);
      for (const { file, entry } of made) if (entry.problem === "") start(file, entry.key, entry.name);
    },
    [files.length, start],
  );
  const remove = useCallback(
    (key: number) => {
      sending.current.get(key)?.cancel();
      sending.current.delete(key);
      const kept = files.find((each) => each.key === key)?.done;
      setFiles((before) => before.filter((each) => each.key !== key));
      if (kept) void drop(kept.id);
    },
    [files],
  );
  const clear = useCallback(() => setFiles([]), []);
  return { files, add, remove, clear };
}

function refusal(file: File, fits: boolean): string {
  if (!fits) return en.composer.file.tooMany;
  if (file.size === 0) return en.composer.file.empty;
  return file.size > LARGEST_BYTES ? en.composer.file.tooLarge : "";
}

/** Takes back a file whose message was not sent. What is never taken back the server deletes by itself. */
async function drop(id: string): Promise<void> {
  await fetch(`${location.origin}/api/v1/attachments/${encodeURIComponent(id)}`, { method: "DELETE" }).catch(() => undefined);
}

