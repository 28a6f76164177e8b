import { describe, expect, it } from "vitest";
import { hostsOf, sinceOf, summed } from "./hosts";

const total = (day: string, host: string, requests: number, bytes_out: number, loopback = false) => ({ day, host, loopback, requests, bytes_out });
const TOTALS = [
  total("2026-03-02", "localhost", 9, 9000, true),
  total("2026-03-02", "a.example", 1, 100),
  total("2026-03-01", "b.example", 2, 700),
  total("2026-03-01", "a.example", 1, 50),
];

describe("hosts", () => {
  it("are summed over days, those elsewhere first", () => {
    const hosts = hostsOf(TOTALS);
    expect(hosts.map((each) => each.host)).toEqual(["b.example", "a.example", "localhost"]);
    expect(hosts[1]).toEqual({ host: "a.example", loopback: false, requests: 2, bytes: 150, days: 2 });
  });
  it("are kept apart by whether anything left the machine", () => {
    expect(summed(hostsOf(TOTALS), false)).toEqual({ hosts: 2, requests: 4, bytes: 850 });
    expect(summed(hostsOf(TOTALS), true)).toEqual({ hosts: 1, requests: 9, bytes: 9000 });
    expect(summed([], false)).toEqual({ hosts: 0, requests: 0, bytes: 0 });
  });
});

describe("a period", () => {
  it("begins so many days ago, or never", () => {
    expect(sinceOf("7", Date.UTC(2026, 2, 8))).toBe("2026-03-01T00:00:00.000Z");
    expect(sinceOf("all", 0)).toBeNull();
  });
});
