import type { Schemas } from "../../../api/client";

export type HostTotal = Schemas["HostTotal"];

/** What went to one host in all. */
export interface Host {
  readonly host: string;
  readonly loopback: boolean;
  readonly requests: number;
  readonly bytes: number;
  readonly days: number;
}

/** Totals by host over all days; elsewhere first, then by bytes. */
export function hostsOf(totals: readonly HostTotal[]): readonly Host[] {
  const hosts = new Map<string, Host>();
  for (const { host, loopback, requests, bytes_out } of totals) {
    const now = hosts.get(host) ?? { host, loopback, requests: 0, bytes: 0, days: 0 };
    const days = now.days + 1;
    hosts.set(host, { ...now, requests: now.requests + requests, bytes: now.bytes + bytes_out, days });
  }
  return [...hosts.values()].sort((a, b) => Number(a.loopback) - Number(b.loopback) || b.bytes - a.bytes);
}

export interface Left {
  readonly hosts: number;
  readonly requests: number;
  readonly bytes: number;
}

/** What went to hosts that are on this machine, or that are not. */
export function summed(hosts: readonly Host[], loopback: boolean): Left {
  const some = hosts.filter((host) => host.loopback === loopback);
  const sum = (of: (host: Host) => number) => some.reduce((all, host) => all + of(host), 0);
  return { hosts: some.length, requests: sum((host) => host.requests), bytes: sum((host) => host.bytes) };
}

const DAY_MS = 86_400_000;

/** The moment `days` days before `now`, in milliseconds, as ISO 8601; null for "all". */
export function sinceOf(period: string, now: number): string | null {
  return period === "all" ? null : new Date(now - Number(period) * DAY_MS).toISOString();
}
