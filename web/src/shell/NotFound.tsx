import { Link } from "@tanstack/react-router";
import { en } from "../strings/en";
import { EmptyState } from "../ui/states";
import { Page } from "./Page";

export function NotFound() {
  return (
    <Page title={en.pages.notFound} titleHidden>
      <EmptyState title={en.shell.nothingHere} action={<Link to="/">{en.shell.backToAsk}</Link>}>
        {en.shell.nothingHereRemedy}
      </EmptyState>
    </Page>
  );
}
