import { describe, expect, it } from "vitest";
import { onlyServiceWorker } from "./trusted";

describe("script addresses", () => {
  it("are refused, all but the service worker", () => {
    expect(onlyServiceWorker("/sw.js")).toBe("/sw.js");
    for (const url of ["/sw.js?x", "//evil.example/sw.js", "data:text/javascript,1", "/assets/sw.js", ""])
      expect(() => onlyServiceWorker(url), url).toThrow(TypeError);
  });
});
