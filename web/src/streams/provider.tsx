import { type ReactNode, useEffect, useState } from "react";
import { setAccess } from "../api/access";
import { probe } from "../api/client";
import { queryClient } from "../api/queries";
import { HubContext } from "./context";
import { Hub } from "./hub";

function newHub(): Hub {
  return new Hub({
    onChanged: (what) => void queryClient.invalidateQueries({ queryKey: [what] }),
    onGap: () => void queryClient.invalidateQueries(),
    onLost: () => void probe(),
    onLive: () => {
      setAccess("open");
      void queryClient.refetchQueries({ predicate: (query) => query.state.status === "error" });
    },
  });
}

/** Follows the server for as long as the app is open. */
export function StreamsProvider({ children }: { children: ReactNode }) {
  const [hub] = useState(newHub);
  useEffect(() => hub.start(), [hub]);
  return <HubContext value={hub}>{children}</HubContext>;
}
