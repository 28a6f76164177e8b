/** Milliseconds between two looks for a server that is away. */
const AGAIN_MS = 1_000;

/**
 * Fetches a part of the app that is not needed at once.
 *
 * While the server is away it waits, as the banner above the page says. A part that a server which answers does not
 * have belongs to another build: the error is passed on, and the page says what helps.
 */
export async function part<T>(load: () => Promise<T>, answers = serverAnswers, pause = rest): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      // It may have come back between the two requests.
      if (await answers()) return load();
      await pause();
    }
  }
}

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch("/health/live", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

function rest(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, AGAIN_MS);
  });
}
