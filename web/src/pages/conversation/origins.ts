/** From which conversation a branch was made, as far as this tab made it: the server names only the message. */
const PREFIX = "auritas.origin.";

export function noteOrigin(branch: string, origin: string): void {
  try {
    sessionStorage.setItem(PREFIX + branch, origin);
  } catch {
    // Without it the branch says that it is one, and leads nowhere.
  }
}

export function originOf(branch: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + branch);
  } catch {
    return null;
  }
}
