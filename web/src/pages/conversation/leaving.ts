import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { endTemporary, isTemporary } from "../../composer/temporary";
import { en } from "../../strings/en";
import { useToast } from "../../ui/Toast";

/** A temporary conversation is deleted when it is left. To compare its answers is not to leave it. */
export function useLeaving(id: string): void {
  const router = useRouter();
  const toast = useToast();
  useEffect(() => {
    void endTemporary(id);
    return () => {
      const { pathname } = router.state.location;
      if (pathname === `/c/${id}` || pathname.startsWith("/disagreement/") || !isTemporary(id)) return;
      void endTemporary(null).then(() => toast({ text: en.composer.temporary.ended }));
    };
  }, [id, router, toast]);
}

/** Escape stops what runs, unless it closed something that was open above the page. */
export function useStopKey(onStop: (() => void) | null): void {
  useEffect(() => {
    if (onStop === null) return;
    const press = (event: KeyboardEvent) => {
      const inLayer = document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
      if (event.key === "Escape" && !event.defaultPrevented && !inLayer) onStop();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [onStop]);
}
