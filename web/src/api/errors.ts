/** An answer of the server that is an error, or no answer at all (status 0). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  /** What the person can do next; empty where there is nothing to do. */
  readonly remedy: string;
  /** Seconds to wait before the next try, where the server says so. */
  readonly wait: number | null;

  constructor(status: number, code: string, message: string, remedy = "", wait: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.remedy = remedy;
    this.wait = wait;
  }

  /** Whether the same request may do better in a moment. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503;
  }
}

/** The error that a body `{"error": {code, message, remedy}}` describes; `fallback` says something where it does not. */
export function errorFrom(status: number, body: unknown, fallback: string, wait: number | null = null): ApiError {
  const { code, message, remedy } = errorOf(body);
  return new ApiError(status, text(code) || "http", text(message) || fallback, text(remedy), wait);
}

function errorOf(body: unknown): Partial<Record<"code" | "message" | "remedy", unknown>> {
  if (typeof body !== "object" || body === null || !("error" in body)) return {};
  return typeof body.error === "object" && body.error !== null ? body.error : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
