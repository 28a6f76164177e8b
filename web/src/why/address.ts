import { useNavigate, useSearch } from "@tanstack/react-router";

/** Which decision the drawer explains stands in the address (`?why=<id of the question>`): back closes it. */
export function useWhy() {
  const { why } = useSearch({ from: "__root__" });
  const navigate = useNavigate();
  const go = (subject: string | undefined) =>
    void navigate({ to: ".", search: (before) => ({ ...before, why: subject }), resetScroll: false });
  return { subject: why ?? null, open: (subject: string) => go(subject), close: () => go(undefined) };
}
