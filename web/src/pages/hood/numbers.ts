/** A number with `places` decimal places, and with the sign that belongs to figures. */
export function fixed(n: number, places = 2): string {
  const text = n.toFixed(places);
  return Number(text) === 0 ? (0).toFixed(places) : text.replace("-", "−");
}
