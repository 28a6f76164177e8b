import { afterEach, describe, expect, it, vi } from "vitest";
import { accessOf } from "./access";
import { api, data } from "./client";
import { ApiError, errorFrom } from "./errors";

const answers = (status: number, body: string) =>
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body, { status, headers: { "content-type": "application/json" } })));
const list = () => data(api.GET("/api/v1/conversations", { fetch: (request) => fetch(request) }));

afterEach(() => vi.unstubAllGlobals());

describe("answers of the server", () => {
  it("are data where all is well", async () => {
    answers(200, '{"conversations": [], "next": null}');
    expect(await list()).toEqual({ conversations: [], next: null });
  });

  it("are errors with code, sentence and remedy where it says so", async () => {
    answers(409, '{"error": {"code": "busy", "message": "Eight run already.", "remedy": "Wait for one."}}');
    await expect(list()).rejects.toMatchObject({ status: 409, code: "busy", message: "Eight run already.", remedy: "Wait for one." });
  });

  it("are errors with a sentence, too, where something else answers", async () => {
    answers(502, "<html>");
    await expect(list()).rejects.toMatchObject({ status: 502, code: "http", message: "The server refused this with status 502." });
  });

  it("say that nobody answered where that is so", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(list()).rejects.toMatchObject({ status: 0, code: "server_gone" });
  });

  it("tell whether this browser is let in", () => {
    expect([401, 423, 200, 204, 500, 404].map((status) => accessOf(status))).toEqual(["closed", "locked", "open", "open", null, null]);
    expect([accessOf(503, "gone"), accessOf(503, "busy")]).toEqual(["gone", null]);
  });

  it("are worth another try only where the reason passes", () => {
    expect([0, 429, 503, 404, 500].map((status) => new ApiError(status, "x", "x").passing)).toEqual([true, true, true, false, false]);
    expect(errorFrom(500, { error: "text" }, "Something.").message).toBe("Something.");
  });
});
