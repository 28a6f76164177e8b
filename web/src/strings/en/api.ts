/** What is said where the server itself says nothing. */
export const api = {
  failed: (status: number) => `The server refused this with status ${status}.`,
  gone: "Auritas does not answer.",
  goneRemedy: "Start it with “auritas serve” on this machine; this page then goes on by itself.",
} as const;
