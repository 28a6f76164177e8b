/** Frames to wait for the page where a conversation begins. */
const FRAMES = 120;

/** Turns the switch of a temporary chat on, on the page where a conversation begins, once it is there. */
export function pressTemporary(): void {
  let left = FRAMES;
  const look = () => {
    const toggle = document.querySelector<HTMLButtonElement>(".composer-temporary[role=switch]");
    if (toggle === null) {
      left -= 1;
      if (left > 0) requestAnimationFrame(look);
      return;
    }
    if (toggle.getAttribute("aria-checked") !== "true") toggle.click();
    document.querySelector<HTMLTextAreaElement>(".composer-box")?.focus();
  };
  look();
}
