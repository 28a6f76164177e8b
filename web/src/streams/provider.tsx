import { type ReactNode, useEffect, useState } from "react";
import { forgetMarks } from "../answer/marks";
import { type Access, onAccess, setAccess } from "../api/access";
import { probe } from "../api/client";
import { followDeletions } from "../api/deleted";
import { queryClient } from "../api/queries";
import { forgetDrafts } from "../composer/draft";
import { HubContext } from "./context";
import { Hub } from "./hub";

function newHub(): Hub {
  return new Hub({
    onChanged: (what) => void queryClient.invalidateQueries({ queryKey: [what] }),
    onGap: () => void queryClient.invalidateQueries(),
    onLost: () => void probe(),
    onGone: () => setAccess("gone"),
    onLive: () => {
      setAccess("open");
      void queryClient.refetchQueries({ predicate: (query) => query.state.status === "error" });
    },
  });
}

/** A store that is locked or gone leaves nothing here that was read from it; one that is gone no draft or name either. */
function forget(hub: Hub, access: Access): void {
  if (access !== "locked" && access !== "gone") return;
  queryClient.clear();
  hub.store.clear();
  if (access !== "gone") return;
  forgetDrafts();
  forgetMarks();
}

/** Follows the server until everything is destroyed: then it ends, and nothing is to be heard of it. */
function followed(hub: Hub): () => void {
  const leave = hub.start();
  const unheard = onAccess((access) => {
    if (access === "gone" || access === "ended") leave();
  });
  return () => {
    unheard();
    leave();
  };
}

/** Follows the server for as long as the app is open. */
export function StreamsProvider({ children }: { children: ReactNode }) {
  const [hub] = useState(newHub);
  useEffect(() => followed(hub), [hub]);
  useEffect(() => followDeletions(queryClient), []);
  useEffect(() => onAccess((access) => forget(hub, access)), [hub]);
  return <HubContext value={hub}>{children}</HubContext>;
}
