import { Thumbnail } from "../../composer/Thumbnail";
import { en } from "../../strings/en";
import { bytes } from "../../strings/numbers";
import { shown } from "../../markdown";
import { Icon } from "../../ui/icons";
import type { Message } from "./thread";

/** The files that came with a message: pictures to look at, everything else as the text that was read of it. */
export function Attached({ files }: { files: Message["attachments"] }) {
  if (files.length === 0) return null;
  return (
    <ul className="attached" aria-label={en.conversation.attached}>
      {files.map((file) => (
        <li key={file.id}>
          <a href={address(file.id, file.kind)} target="_blank" rel="noreferrer" className="attached-file">
            {file.kind === "picture" ? <Thumbnail id={file.id} name={file.name} /> : <Icon name="attach" size={16} />}
            <span className="file-name">{shown(file.name)}</span>
            <span className="file-size tabular">
              {file.pages > 0 ? en.composer.file.pages(file.pages) : bytes(file.size)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function address(id: string, kind: "text" | "picture"): string {
  return `/api/v1/attachments/${encodeURIComponent(id)}/${kind}`;
}
