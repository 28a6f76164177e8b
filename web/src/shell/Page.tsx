import { type ReactNode, useEffect } from "react";
import { en } from "../strings/en";
import "./page.css";
import { shown } from "../markdown/text";

interface PageProps {
  /** The heading, and the title of the tab. */
  title: string;
  /** For pages whose heading would only repeat what is in sight: it is there for screen readers alone. */
  titleHidden?: boolean;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /** `text` for a column that is read, `wide` for tables, `full` for what fills the frame and scrolls by itself. */
  width?: "text" | "wide" | "full";
  children: ReactNode;
}

/** The frame of a page: its one h1, its title, its width. */
export function Page({ title, titleHidden = false, actions, width = "wide", children }: PageProps) {
  useEffect(() => {
    document.title = en.shell.title(shown(title));
  }, [title]);
  return (
    <div className={`page page-${width}`}>
      <header className={titleHidden ? "visually-hidden" : "page-head"}>
        <h1 dir="auto">{shown(title)}</h1>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
