/** Every word that the rendering of answers shows; the catalogue of the app may take it in as it is. */
export const markdownWords = {
  copy: "Copy",
  copied: "Copied",
  wrap: "Wrap lines",
  code: "code",
  done: "done",
  open: "not done",
  loadPicture: (kilobytes: number) => `Load picture (${kilobytes} kB)`,
  picture: "Picture",
  pictureNotShown: "not loaded",
  openAddress: "Open this address?",
  goesTo: "It leads to",
  openIt: "Open in a new tab",
  stay: "Stay here",
  table: "Table",
} as const;
