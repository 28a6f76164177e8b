/** Strings of the controls that every page uses. */
export const ui = {
  close: "Close",
  cancel: "Cancel",
  undo: "Undo",
  retry: "Try again",
  loading: "Loading…",
  dismiss: "Dismiss",
  optional: "optional",
  more: "More actions",
  none: "–",
  remove: "Remove",
  notification: "Notification",
  notifications: (hotkey: string) => `Notifications (${hotkey})`,
  failed: "That did not work.",
} as const;
