import { useEffect, useState } from "react";
import { onAnnouncement } from "./announcer";

/** Where announcements are read from. The same words twice are read twice: a space that is not heard alternates. */
export function LiveRegion() {
  const [text, setText] = useState("");
  useEffect(() => onAnnouncement((next) => setText((before) => (before === next ? `${next}\u00a0` : next))), []);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
