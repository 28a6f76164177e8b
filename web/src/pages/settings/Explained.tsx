/** A sentence in which what is typed stands between backticks. */
export function Explained({ text }: { text: string }) {
  return text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : <span key={at}>{part}</span>));
}
