import { Link } from "@tanstack/react-router";
import { en } from "../../../strings/en";

/** Leads to where models are fetched and added. */
export function FetchModels({ size = "m" }: { size?: "m" | "s" }) {
  return (
    <Link className={`button button-${size === "m" ? "primary" : "secondary"} button-${size}`} to="/settings/$section" params={{ section: "models" }}>
      {en.models.get}
    </Link>
  );
}
