import { useState } from "react";
import { shown } from "../markdown/text";
import { Icon } from "../ui/icons";

/** A small picture of an attached picture, fetched once it comes into sight; the sign of a file where it cannot be read. */
export function Thumbnail({ id, name }: { id: string; name: string }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <Icon name="attach" size={16} />;
  const source = `/api/v1/attachments/${encodeURIComponent(id)}/picture`;
  return <img className="thumbnail" src={source} alt={shown(name)} loading="lazy" decoding="async" onError={() => setBroken(true)} />;
}
