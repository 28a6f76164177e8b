import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useAccess } from "../api/access";
import { en } from "../strings/en";
import { useConnection } from "../streams/hooks";
import { Icon } from "../ui/icons";
import { announce } from "./announcer";

/** Milliseconds for which the server may be silent before the page speaks of it: a restart is faster. */
const PATIENCE = 2_500;

/** What a person must know about the connection, above every page. */
export function Banners() {
  // A server that wants a session or a passphrase does answer; the page says so instead.
  const answers = useAccess() !== "open";
  const lost = useLost() && !answers;
  const online = useOnline();
  return (
    <div className="banners" role="status">
      {lost && (
        <p className="banner banner-lost">
          <Icon name="warning" size={18} />
          <span>
            {en.shell.lost} <span className="soft">{en.shell.lostRemedy}</span>
          </span>
        </p>
      )}
      {!online && (
        <p className="banner">
          <Icon name="info" size={18} />
          <span>{en.shell.offline}</span>
        </p>
      )}
    </div>
  );
}

/** Whether the stream has been lost for a while. Says so when it is back. */
function useLost(): boolean {
  const connection = useConnection();
  const [lost, setLost] = useState(false);
  const said = useRef(false);
  useEffect(() => {
    if (connection === "live") {
      if (said.current) announce(en.shell.back);
      said.current = false;
    }
    const timer = setTimeout(
      () => {
        said.current = connection === "lost";
        setLost(connection === "lost");
      },
      connection === "live" ? 0 : PATIENCE,
    );
    return () => clearTimeout(timer);
  }, [connection]);
  return lost;
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

function useOnline(): boolean {
  return useSyncExternalStore(onNetwork, () => navigator.onLine);
}
