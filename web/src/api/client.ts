import createClient, { type Middleware } from "openapi-fetch";
import { en } from "../strings/en";
import { accessOf, setAccess } from "./access";
import { ApiError, errorFrom } from "./errors";
import type { components, paths } from "./schema";

/** The types of the server's answers, by name. */
export type Schemas = components["schemas"];

/** Every answer tells whether this browser is let in; one that is an error is thrown, so that callers see only data. */
const judge: Middleware = {
  async onResponse({ response }) {
    const error = response.ok ? null : errorFrom(response.status, await bodyOf(response), en.api.failed(response.status), waitOf(response));
    const next = accessOf(response.status, error?.code);
    if (next) setAccess(next);
    if (error) throw error;
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === "AbortError") return error;
    return new ApiError(0, "server_gone", en.api.gone, en.api.goneRemedy);
  },
};

/** The server, typed by its OpenAPI file. Calls throw ApiError. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: "same-origin" });
api.use(judge);

/** The data of an answer: `await data(api.GET("/api/v1/…"))`. Throws ApiError. */
export async function data<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  const answer = await call;
  // Errors were thrown before; an answer without content (204) has the type undefined.
  return answer.data as T;
}

/** Asks the server for something small, so that a stream that broke learns why: no session, locked, or gone. */
export async function probe(): Promise<void> {
  try {
    await api.GET("/api/v1/conversations", { params: { query: { limit: 1 } } });
  } catch {
    // What the status says is noted on the way; that the server is gone is shown by the stream itself.
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return null;
  }
}

/** Seconds that a refusal asks to wait; null where it asks for none. */
function waitOf(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
