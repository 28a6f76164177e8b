/** Reads the entry that a proof holds. Model output never comes here; what cannot be read names nothing. */
export function namedBy(entry: string): string | null {
  try {
    const read: unknown = JSON.parse(entry);
    return traceOf(read);
  } catch {
    return null;
  }
}

function traceOf(read: unknown): string | null {
  if (typeof read !== "object" || read === null || !("refs" in read)) return null;
  const { refs } = read;
  if (typeof refs !== "object" || refs === null || !("trace_id" in refs)) return null;
  return typeof refs.trace_id === "string" ? refs.trace_id : null;
}

/** The beginning and end of a hash: enough to compare by eye. */
export function short(hash: string): string {
  return hash.length > 20 ? `${hash.slice(0, 8)}…${hash.slice(-8)}` : hash;
}

/** The name of a log without what only tells its installation apart. */
export function plainName(name: string): string {
  const [host = name, id = ""] = name.split("/");
  return id ? `${host}/${short(id)}` : host;
}
