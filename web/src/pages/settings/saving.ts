import { useState } from "react";
import { announce } from "../../shell/announcer";
import { refusalOf } from "./refusal";
import { en } from "../../strings/en";
import { useToast } from "../../ui/Toast";
import { before, nameOf, spoken } from "./fields";
import { type Setting, useChangeSetting, type Value } from "./requests";

/** Saves one setting and offers to take it back. error: why the last value was refused, and what it takes. */
export function useSaving(line: Setting) {
  const { mutate, error: refused } = useChangeSetting();
  const toast = useToast();
  const [wrong, setWrong] = useState(false);
  const save = (value: Value | undefined) => {
    setWrong(value === undefined);
    if (value === undefined) return;
    const back = before(line);
    mutate(
      { key: line.key, value },
      {
        onSuccess: (now) => {
          const text = en.settings.saved(nameOf(line.key), spoken(now, now.value));
          announce(text);
          toast({ text, undo: () => mutate({ key: line.key, value: back }) });
        },
      },
    );
  };
  const error = wrong ? en.settings.wants(line.takes) : refusalOf(refused) || null;
  return { save, error };
}
