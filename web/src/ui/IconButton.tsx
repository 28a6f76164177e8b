import type { ComponentProps } from "react";
import "./button.css";
import { Icon, type IconName } from "./icons";
import { type Side, Tooltip } from "./Tooltip";
import { shown } from "../markdown/text";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children" | "aria-label"> {
  icon: IconName;
  /** What it does: its name for screen readers, and its tooltip. */
  label: string;
  size?: "m" | "s";
  /** For a button that is on or off. */
  pressed?: boolean;
  /** False in overlays: an open tooltip would take the Escape key that should close them. */
  tip?: boolean;
  tipSide?: Side;
}

export function IconButton({ icon, label, size = "m", pressed, tip = true, tipSide = "top", className = "", ...button }: IconButtonProps) {
  const control = (
    <button
      type="button"
      {...button}
      className={`icon-button icon-button-${size} ${className}`}
      aria-label={shown(label)}
      aria-pressed={pressed}
    >
      <Icon name={icon} size={size === "s" ? 16 : 20} />
    </button>
  );
  return tip ? <Tooltip text={shown(label)} side={tipSide}>{control}</Tooltip> : control;
}
