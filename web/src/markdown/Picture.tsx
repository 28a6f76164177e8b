import { useState } from "react";

import { pictureBytes } from "./address";
import { admit } from "./sanitise";
import { isShowable } from "./text";
import { markdownWords as words } from "./words";

interface Props {
  readonly label: string;
  /** A data: address that carries the picture in itself. */
  readonly source: string;
}

/** A picture inside an answer, decoded only when asked for. */
export function Picture({ label, source }: Props) {
  const [wanted, setWanted] = useState(false);
  const bytes = pictureBytes(source);
  const name = label || words.picture;
  if (bytes === null) return <>{name}</>;
  if (wanted) return <img className="md-picture" src={source} alt={name} />;
  return (
    <span className="md-picture-offer">
      {name}{" "}
      <button type="button" onClick={() => setWanted(true)}>
        {words.loadPicture(Math.ceil(bytes / 1024))}
      </button>
    </span>
  );
}

admit(Picture, ({ label, source }: Props) => isShowable(label) && pictureBytes(source) !== null);
