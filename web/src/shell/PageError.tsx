import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError } from "../api/errors";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { EmptyState, ErrorState } from "../ui/states";
import { Page } from "./Page";

/** A page that failed: the frame around it goes on. */
export function PageError({ error, reset }: ErrorComponentProps) {
  useEffect(() => console.error(error), [error]);
  const reload = (
    <Button kind="primary" icon="retry" onClick={() => location.reload()}>
      {en.shell.reload}
    </Button>
  );
  const outdated = isMissingChunk(error);
  if (error instanceof ApiError)
    return (
      <Page title={en.shell.name} titleHidden>
        <ErrorState error={error} onRetry={reset} />
      </Page>
    );
  return (
    <Page title={en.shell.name} titleHidden>
      <EmptyState icon="warning" title={outdated ? en.shell.outdated : en.shell.crashed} action={reload}>
        {outdated ? en.shell.outdatedRemedy : en.shell.crashedRemedy}
      </EmptyState>
    </Page>
  );
}

/** Whether a part of the app could not be fetched, as after an update: browsers say it in words of their own. */
function isMissingChunk(error: unknown): boolean {
  return error instanceof TypeError && /module|import/i.test(error.message);
}
