import { useEffect, useRef } from "react";
import { en } from "../strings/en";
import { Icon } from "../ui/icons";
import { RelativeTime } from "../ui/words";
import type { Piece } from "./pieces";
import type { Choice, Section } from "./sections";
import { shown } from "../markdown/text";

interface ResultsProps {
  /** The id of the list, and the beginning of those of its options. */
  list: string;
  sections: readonly Section[];
  /** The choice that the arrow keys are at. */
  active: string;
  onChoose: (choice: Choice) => void;
}

export function Results({ list, sections, active, onChoose }: ResultsProps) {
  return (
    <div className="palette-list" id={list} role="listbox" aria-label={en.search.results}>
      {sections.map((section) => (
        <div
          key={section.key}
          role="group"
          aria-labelledby={`${list}-${section.key}`}
          className={section.key === "meaning" ? "palette-section palette-apart" : "palette-section"}
        >
          <div className="palette-label" id={`${list}-${section.key}`} role="presentation">
            {en.search.sections[section.key]}
          </div>
          {section.choices.map((choice) => (
            <Line
              key={choice.id}
              id={`${list} ${choice.id}`.replaceAll(" ", "-")}
              choice={choice}
              active={choice.id === active}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface LineProps {
  id: string;
  choice: Choice;
  active: boolean;
  onChoose: (choice: Choice) => void;
}

function Line({ id, choice, active, onChoose }: LineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) line.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const { icon, title, snippet, note, at } = choice;
  return (
    // Keys are pressed in the box above, which names the active option.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className="palette-line"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(choice)}
    >
      <Icon name={icon} size={16} />
      <span className="palette-words">
        <span className="palette-title">
          <Pieces pieces={title} />
        </span>
        {snippet && snippet.length > 0 && (
          <span className="palette-snippet">
            <Pieces pieces={snippet} />
          </span>
        )}
        {note && <span className="palette-note">{shown(note)}</span>}
      </span>
      {at && (
        <span className="palette-at">
          <RelativeTime at={at} />
        </span>
      )}
    </div>
  );
}

/** Text with its marks; whatever it holds is text. */
function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map((piece, at) => (piece.hit ? <mark key={at}>{shown(piece.text)}</mark> : <span key={at}>{shown(piece.text)}</span>));
}
