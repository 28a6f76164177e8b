import type { ComponentProps, ReactNode } from "react";
import "./button.css";
import { Icon, type IconName } from "./icons";

interface ButtonProps extends ComponentProps<"button"> {
  /** One primary button a view; `danger` only for what cannot be undone. */
  kind?: "primary" | "secondary" | "quiet" | "danger";
  size?: "m" | "s";
  icon?: IconName;
  /** Work goes on: the button waits, and says so. */
  busy?: boolean;
  children: ReactNode;
}

export function Button({ kind = "secondary", size = "m", icon, busy = false, className = "", ...rest }: ButtonProps) {
  const { children, disabled, ...button } = rest;
  return (
    <button
      type="button"
      {...button}
      className={`button button-${kind} button-${size} ${className}`}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {icon && <Icon name={icon} size={size === "s" ? 16 : 18} />}
      <span className="button-label">{children}</span>
    </button>
  );
}
