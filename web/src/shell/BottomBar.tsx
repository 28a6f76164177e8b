import { Link } from "@tanstack/react-router";
import { en } from "../strings/en";
import { Icon } from "../ui/icons";
import { VERBS } from "./verbs";

/** The places of the app on a phone, under the thumb. */
export function BottomBar({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  return (
    <nav className="bottom-bar" aria-label={en.shell.navigation}>
      {VERBS.map(({ key, to, icon, label }) => (
        <Link key={key} className="bottom-place" to={to} activeOptions={{ exact: to === "/" }} {...(key === "ask" ? { "aria-label": en.shell.ask } : {})}>
          <Icon name={icon} />
          {label}
        </Link>
      ))}
      <button type="button" className="bottom-place" onClick={onSearch}>
        <Icon name="search" />
        {en.shell.search}
      </button>
      <button type="button" className="bottom-place" onClick={onMenu}>
        <Icon name="menu" />
        {en.shell.menu}
      </button>
    </nav>
  );
}
