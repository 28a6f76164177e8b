import { Link } from "@tanstack/react-router";
import { en } from "../strings/en";
import "../ui/data.css";
import "./page.css";

interface SectionNavProps {
  /** The name of the page that has these parts. */
  page: string;
  to: "/hood/$section" | "/settings/$section";
  sections: readonly { readonly key: string; readonly label: string }[];
}

/** The parts of a page, each with an address of its own. */
export function SectionNav({ page, to, sections }: SectionNavProps) {
  return (
    <nav className="section-nav" aria-label={en.shell.sections(page)}>
      {sections.map(({ key, label }) => (
        <Link key={key} className="tab" to={to} params={{ section: key }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
