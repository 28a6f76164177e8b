/** Whether the first page was shown in this browser. It is no secret, and worth no more than being shown twice. */
const KEY = "auritas.welcomed";

export function wasWelcomed(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true; // A browser that remembers nothing would show the page each time.
  }
}

export function noteWelcomed(): void {
  try {
    localStorage.setItem(KEY, "1");
  } catch {
    // Then it counts as shown, see above.
  }
}
