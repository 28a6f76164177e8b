import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
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
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    // Where not all parts have room, the one that is shown must be among those in sight.
    const current = nav.current?.querySelector("[aria-current=page]");
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav ref={nav} className="section-nav" aria-label={en.shell.sections(page)}>
      {sections.map(({ key, label }) => (
        <Link key={key} className="tab" to={to} params={{ section: key }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
