import { useNavigate } from "@tanstack/react-router";
import { useMutation } from "../api/mutation";
import { api, data } from "../api/client";
import { en } from "../strings/en";
import { chooseTheme } from "../theme/theme";
import type { IconName } from "../ui/icons";
import { useToast } from "../ui/Toast";
import { pressTemporary } from "./temporaryChat";

export interface Command {
  readonly key: keyof typeof en.search.commands;
  readonly icon: IconName;
  readonly run: () => void;
}

/** Commands shown while nothing is typed, and at most while something is. */
const FIRST = 5;
const MOST = 4;

/** Everything that can be done from the palette. */
export function useCommands(): readonly Command[] {
  const navigate = useNavigate();
  const rebuild = useRebuild();
  return [
    { key: "ask", icon: "plus", run: () => void navigate({ to: "/" }) },
    { key: "temporary", icon: "ask", run: () => void navigate({ to: "/" }).then(pressTemporary) },
    { key: "memory", icon: "memory", run: () => void navigate({ to: "/memory" }) },
    { key: "hood", icon: "hood", run: () => void navigate({ to: "/hood" }) },
    { key: "settings", icon: "settings", run: () => void navigate({ to: "/settings" }) },
    { key: "notes", icon: "memory", run: () => void navigate({ to: "/memory", hash: "notes" }) },
    { key: "audit", icon: "shield", run: () => void navigate({ to: "/hood/$section", params: { section: "audit" } }) },
    { key: "usage", icon: "hood", run: () => void navigate({ to: "/hood/$section", params: { section: "usage" } }) },
    { key: "light", icon: "settings", run: () => chooseTheme("light") },
    { key: "dark", icon: "settings", run: () => chooseTheme("dark") },
    { key: "system", icon: "settings", run: () => chooseTheme("system") },
    { key: "rebuild", icon: "retry", run: rebuild },
  ];
}

/** The commands that fit what is typed: each typed word begins a word of theirs. */
export function fitting<T extends Pick<Command, "key">>(commands: readonly T[], typed: readonly string[]): readonly T[] {
  if (typed.length === 0) return commands.slice(0, FIRST);
  const fits = ({ key }: T) => {
    const words = `${en.search.commands[key]} ${en.search.also[key] ?? ""}`.toLowerCase().split(" ");
    return typed.every((each) => words.some((word) => word.startsWith(each.toLowerCase())));
  };
  return commands.filter(fits).slice(0, MOST);
}

/** Builds the index anew, as a run of its own. */
export function useRebuild(): () => void {
  const toast = useToast();
  const { mutate } = useMutation({
    mutationFn: () => data(api.POST("/api/v1/search/index")),
    onSuccess: () => toast({ text: en.search.rebuilding }),
  });
  return () => mutate();
}
