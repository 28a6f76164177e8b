import { Link } from "@tanstack/react-router";
import { en } from "../strings/en";
import { Wordmark } from "../theme/Mark";
import { Icon } from "../ui/icons";
import { Kbd, VisuallyHidden } from "../ui/words";
import { ConversationList } from "./ConversationList";
import { askKeys, searchKeys } from "./keys";
import { VERBS } from "./verbs";

interface NavigationProps {
  onSearch: () => void;
  /** Called when a place was chosen: the drawer of a phone closes. */
  onChoose?: () => void;
  /** In a drawer, which has a heading of its own, the name is left out. */
  named?: boolean;
}

/** Where one can go: verbs, search, conversations, settings. */
export function Navigation({ onSearch, onChoose, named = true }: NavigationProps) {
  return (
    <nav className="navigation" aria-label={en.shell.navigation}>
      {named && (
        <Link className="navigation-home" to="/" onClick={onChoose}>
          <Wordmark name={en.shell.name} />
        </Link>
      )}
      <ul className="places">
        {VERBS.map(({ key, to, icon, label }) => (
          <li key={key}>
            {key === "ask" ? (
              <Link
                className="place"
                to={to}
                activeOptions={{ exact: true }}
                onClick={onChoose}
                title={en.shell.ask}
                aria-keyshortcuts="Control+Shift+O"
              >
                <Icon name={icon} />
                <span className="place-words">
                  {label}
                  <VisuallyHidden>{en.shell.askMore}</VisuallyHidden>
                </span>
                <span aria-hidden="true">
                  <Kbd keys={askKeys()} />
                </span>
              </Link>
            ) : (
              <Link className="place" to={to} onClick={onChoose}>
                <Icon name={icon} />
                {label}
              </Link>
            )}
          </li>
        ))}
        <li>
          <button type="button" className="place" onClick={onSearch}>
            <Icon name="search" />
            <span className="place-words">{en.shell.search}</span>
            <Kbd keys={searchKeys()} />
          </button>
        </li>
      </ul>
      <ConversationList {...(onChoose ? { onChoose } : {})} />
      <Link className="place" to="/settings" onClick={onChoose}>
        <Icon name="settings" />
        {en.shell.settings}
      </Link>
    </nav>
  );
}
