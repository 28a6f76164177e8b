import type { ReactNode } from "react";
import { ApiError } from "../api/errors";
import { en } from "../strings/en";
import { Button } from "./Button";
import "./data.css";
import { Icon, type IconName } from "./icons";
import { shown } from "../markdown/text";

/** Grey lines where text will stand, said once to screen readers. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{en.ui.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className="skeleton-line" />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  icon?: IconName;
  title: string;
  /** How there comes to be something here. */
  children?: ReactNode;
  action?: ReactNode;
}

/** There is nothing yet, and how that changes. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="state">
      {icon && <Icon name={icon} size={28} />}
      <p className="state-title">{title}</p>
      {children && <div className="soft">{children}</div>}
      {action}
    </div>
  );
}

/** What went wrong in a sentence, what to do about it, and a way to try again where that may help. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const remedy = error instanceof ApiError ? error.remedy : "";
  return (
    <div className="state state-error" role="alert">
      <Icon name="warning" size={28} />
      <p className="state-title">{error instanceof Error && error.message ? shown(error.message) : en.ui.failed}</p>
      {remedy && <p className="soft">{shown(remedy)}</p>}
      {onRetry && (
        <Button icon="retry" onClick={onRetry}>
          {en.ui.retry}
        </Button>
      )}
    </div>
  );
}
