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

/** What lies above the page. A link's question is a dialog of the browser's own, which has no role written down. */
const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';

/** Escape stops what runs, unless it closed something that was open above the page. */
export function useStopKey(onStop: (() => void) | null): void {
  useEffect(() => {
    if (onStop === null) return;
    const press = (event: KeyboardEvent) => {
      // In the middle of a word that an input method composes, Escape belongs to it.
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector(LAYERS) === null) onStop();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [onStop]);
}
