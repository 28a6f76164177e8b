import { useEffect } from "react";
import { ApiError } from "../api/errors";
import { onFailure } from "../api/failures";
import { en } from "../strings/en";
import { useToast } from "../ui/Toast";

/** Says what did not happen, wherever it was wanted. That the server is gone or locked is said by the frame itself. */
export function FailureToasts() {
  const toast = useToast();
  useEffect(
    () =>
      onFailure((error) => {
        const remedy = error instanceof ApiError ? error.remedy : "";
        if (error instanceof ApiError && (error.status === 401 || error.status === 423)) return;
        toast({ kind: "failed", text: error.message || en.ui.failed, ...(remedy ? { detail: remedy } : {}) });
      }),
    [toast],
  );
  return null;
}
