import { describe, expect, it } from "vitest";
import { additionOf, begun, EMPTY, isOpen, missing, staysHere } from "./addition";
import type { Provider } from "./requests";

const CLOUD: Provider = {
  name: "example",
  title: "Example",
  base_url: "https://api.example.com/v1",
  needs_key: true,
  models: ["large-1", "small-1"],
  as_of: "2025-10",
};

describe("the form that adds a model", () => {
  it("of a provider needs a key alone, and sends nothing that the preset knows", () => {
    const form = begun(CLOUD);
    expect(missing(form, CLOUD)).toEqual({ key: true });
    expect(additionOf({ ...form, key: " sk-1 " }, CLOUD)).toEqual({
      model_id: "large-1",
      kind: "openai",
      preset: "example",
      key: "sk-1",
      in_keyring: false,
      open_ok: false,
      sees: false,
    });
  });

  it("of another address needs the address and a model", () => {
    expect(missing(EMPTY, undefined)).toEqual({ model: true, address: true });
    const form = { ...EMPTY, baseUrl: " http://127.0.0.1:9000/v1 ", modelId: "mine", window: "4096", inputPrice: "0.5" };
    expect(missing(form, undefined)).toEqual({});
    expect(additionOf(form, undefined)).toMatchObject({
      base_url: "http://127.0.0.1:9000/v1",
      model_id: "mine",
      window: 4096,
      input_price: 0.5,
    });
  });

  it("refuses a price that is no number", () => {
    expect(missing({ ...begun(CLOUD), key: "k", outputPrice: "cheap" }, CLOUD)).toEqual({ number: true });
  });
});

describe("an address", () => {
  it("stays here only when its host is this machine", () => {
    expect(staysHere("http://127.0.0.1:11434/v1")).toBe(true);
    expect(staysHere("http://localhost:1234/v1")).toBe(true);
    expect(staysHere("http://[::1]/v1")).toBe(true);
    expect(staysHere("https://127.0.0.1.example.com/v1")).toBe(false);
    expect(staysHere("https://localhost.example.com")).toBe(false);
    expect(staysHere("half an addre")).toBe(false);
  });

  it("is open where it is not https and not here", () => {
    expect(isOpen("http://example.com/v1")).toBe(true);
    expect(isOpen("http://127.0.0.1/v1")).toBe(false);
    expect(isOpen("https://example.com/v1")).toBe(false);
  });
});
