/** Text of models on the page: safe whatever it holds, cheap while it streams. */
export { Markdown, StreamingMarkdown } from "./Markdown";
export { shown } from "./text";
export { work, resetWork } from "./work";
export { markdownWords } from "./words";
