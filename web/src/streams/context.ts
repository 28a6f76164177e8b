import { createContext, use } from "react";
import type { Hub } from "./hub";

export const HubContext = createContext<Hub | null>(null);

/** The streams of this tab. Throws outside of StreamsProvider. */
export function useHub(): Hub {
  const hub = use(HubContext);
  if (hub === null) throw new Error("Streams are used outside of their provider.");
  return hub;
}
