import { en } from "../strings/en";
import { bytes } from "../strings/numbers";
import { IconButton } from "../ui/IconButton";
import { Icon } from "../ui/icons";
import { Progress } from "../ui/Progress";
import type { Attaching } from "./attachments";
import { Thumbnail } from "./Thumbnail";
import { shown } from "../markdown/text";

/** The files of a message: on their way, there, or refused with the reason. */
export function FileChips({ files, onRemove }: { files: readonly Attaching[]; onRemove: (key: number) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className="file-chips">
      {files.map((each) => (
        <li key={each.key} className={each.problem ? "file-chip file-chip-refused" : "file-chip"}>
          {each.done?.kind === "picture" ? (
            <Thumbnail id={each.done.id} name={each.name} />
          ) : (
            <Icon name={each.problem ? "warning" : "attach"} size={16} />
          )}
          <span className="file-words">
            <span className="file-name">{shown(each.name)}</span>
            <span className="file-size tabular">{shown(each.problem) || about(each)}</span>
            {!each.done && !each.problem && <Progress label={en.composer.file.sending(shown(each.name))} done={each.sent} total={1} />}
          </span>
          <IconButton size="s" icon="close" label={en.composer.file.remove(shown(each.name))} onClick={() => onRemove(each.key)} />
        </li>
      ))}
    </ul>
  );
}

function about({ size, done }: Attaching): string {
  const pages = done?.pages ?? 0;
  return pages > 0 ? `${bytes(size)} · ${en.composer.file.pages(pages)}` : bytes(size);
}
