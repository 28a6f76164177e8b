import { count } from "../numbers";

/** Strings of the page Unlock. */
export const unlock = {
  sentence: "Your store is locked.",
  text: "Its passphrase opens it on this machine. It goes nowhere else.",
  label: "Passphrase",
  show: "Show what I type",
  hide: "Hide what I type",
  capsLock: "Caps Lock is on.",
  open: "Unlock",
  opening: "Unlocking takes a moment by design.",
  wait: (seconds: number) => `Too many tries. The next one in ${count(seconds, "second")}.`,
  lost: "A lost passphrase cannot be recovered. A backup with a passphrase of its own can be restored: auritas restore FILE",
  opened: "Unlocked.",
} as const;
