import { createRef, type RefObject } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

import "../src/theme/tokens.css";
import "../src/theme/base.css";
import { Markdown, resetWork, StreamingMarkdown, work } from "../src/markdown";
import { MessageList, type MessageListHandle } from "../src/virtual";
import { findings } from "./audit";
import "./harness.css";
import { sinks } from "./sinks";
import { answerText, conversation, type Message } from "./texts";
import { TestBuffer } from "./text";

const place = document.getElementById("root");
if (!place) throw new Error("The page has no place for the test.");
const root = createRoot(place);

function frame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function feed(buffer: TestBuffer, text: string, piece: number): void {
  const step = Number.isFinite(piece) ? piece : Math.ceil(text.length / 2);
  for (let at = 0; at < text.length; at += step) flushSync(() => buffer.append(text.slice(at, at + step)));
  flushSync(() => buffer.close());
}

/** Show one text in every sink, use what it offers, and return what must not be there. */
async function show(text: string): Promise<string[]> {
  const drawn = sinks.map((sink) => ({ name: sink.name, ...sink.draw(text) }));
  flushSync(() => root.render(drawn.map(({ name, node }) => <section key={`${name}${text}`} data-sink={name}>{node}</section>)));
  await frame();
  for (const { buffer, piece } of drawn) if (buffer && piece !== undefined) feed(buffer, text, piece);
  await frame();
  for (const button of document.querySelectorAll<HTMLButtonElement>(".md-picture-offer button, .md-link")) button.click();
  await frame();
  const found = [...document.querySelectorAll("section")].flatMap((section) =>
    findings(section).map((finding) => `${section.dataset.sink ?? ""}: ${finding}`),
  );
  const asked = document.querySelectorAll("dialog[open] .md-address").length;
  const links = document.querySelectorAll(".md-link").length;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  return asked === links ? found : [...found, `${links} links, but ${asked} questions`];
}

/** Stream four columns, one token each a frame and column, and return characters parsed per token. */
async function stream(kind: string, columns: number, tokens: number, perFrame: number, paced: boolean): Promise<number> {
  const texts = Array.from({ length: columns }, (_, column) => answerText(kind, tokens, column));
  const buffers = texts.map(() => new TestBuffer());
  flushSync(() => root.render(<div className="columns">{buffers.map((buffer, index) => <div key={`${kind}${index}`}><StreamingMarkdown buffer={buffer} /></div>)}</div>));
  await frame();
  resetWork();
  for (let sent = 0; sent < tokens; sent += perFrame) {
    buffers.forEach((buffer, index) => buffer.append((texts[index] ?? []).slice(sent, sent + perFrame).join("")));
    if (paced) await frame();
    else flushSync(() => undefined);
  }
  buffers.forEach((buffer) => buffer.close());
  await frame();
  return work.charactersParsed / (columns * tokens);
}

interface Live {
  readonly kind: string;
  readonly history: number;
  readonly tokens: number;
  readonly perSecond: number;
}

let columns: readonly { readonly pieces: readonly string[]; readonly buffer: TestBuffer }[] = [];

/** Show four columns with their history. */
async function prepare({ kind, history, tokens }: Live): Promise<void> {
  columns = [0, 1, 2, 3].map((column) => ({ pieces: answerText(kind, history + tokens, column), buffer: new TestBuffer() }));
  const views = columns.map(({ buffer }, index) => <div key={`live ${kind}${index}`}><StreamingMarkdown buffer={buffer} /></div>);
  flushSync(() => root.render(<div className="columns">{views}</div>));
  for (const { buffer, pieces } of columns) buffer.append(pieces.slice(0, history).join(""));
  for (let settling = 0; settling < 120; settling += 1) await frame();
}

/** Stream into the four columns in real time; return characters parsed per token. */
async function live({ history, tokens, perSecond }: Live): Promise<number> {
  resetWork();
  const begun = performance.now();
  for (let sent = 0; sent < tokens; ) {
    await frame();
    const due = Math.min(tokens, Math.floor(((performance.now() - begun) / 1000) * perSecond));
    for (const { buffer, pieces } of columns) {
      const piece = pieces.slice(history + sent, history + due).join("");
      if (piece) buffer.append(piece);
    }
    sent = due;
  }
  return work.charactersParsed / (4 * tokens);
}

/** Scroll the list up by `step` px a frame. */
async function scroll({ times, step }: { readonly times: number; readonly step: number }): Promise<void> {
  const scroller = document.querySelector(".list-scroller");
  for (let time = 0; time < times; time += 1) {
    scroller?.scrollBy(0, -step);
    await frame();
  }
}

let list: RefObject<MessageListHandle | null> = createRef();
let earlier = 0;

function draw(message: Message) {
  return <Markdown text={message.text} />;
}

function estimate(message: Message): number {
  return 60 + Math.ceil(message.text.length / 90) * 24;
}

function renderList(messages: readonly Message[], atStart: boolean, openAt?: string): void {
  const place = openAt === undefined ? {} : { openAt };
  root.render(
    <div className="window">
      <MessageList items={messages} renderItem={draw} estimate={estimate} label="Conversation" atStart={atStart} handle={list} loadEarlier={() => { earlier += 1; }} {...place} />
    </div>,
  );
}

/** Open a conversation of `count` messages; return milliseconds until it stands on the screen. */
async function open(count: number, from = 0, openAt?: string): Promise<number> {
  const messages = conversation(count, from);
  flushSync(() => root.render(null));
  list = createRef();
  earlier = 0;
  await frame();
  const begun = performance.now();
  renderList(messages, from === 0, openAt);
  await frame();
  await frame();
  return performance.now() - begun;
}

/** Let the last of `count` messages grow by one sentence a frame, `times` times. */
async function grow(count: number, times: number): Promise<void> {
  const messages = conversation(count);
  for (let time = 1; time <= times; time += 1) {
    const last = messages.at(-1);
    if (last) messages[messages.length - 1] = { ...last, text: `${last.text} And one more sentence that follows the others.` };
    renderList([...messages], true);
    await frame();
  }
  await frame();
}

/** Return how many px of the list lie below what is seen. */
function distance(): number {
  const scroller = document.querySelector(".list-scroller");
  return scroller ? scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight : Number.NaN;
}

/** Show one text as a chosen answer, and use nothing that it offers. */
async function answer(text: string): Promise<void> {
  flushSync(() => root.render(<Markdown text={text} />));
  await frame();
}

/** Return what is found in an element that has no place in an answer: the search itself is tested by it. */
function foundInBold(): string[] {
  const around = document.createElement("div");
  const bold = document.createElement("b");
  bold.setAttribute("href", "");
  around.append(bold);
  return findings(around);
}

const harness = {
  show, stream, prepare, live, scroll, open, grow, distance, answer, foundInBold,
  more: async (count: number, from: number) => { renderList(conversation(count, from), from === 0); await frame(); await frame(); },
  jumpTo: async (id: string) => { const there = list.current?.jumpTo(id); await frame(); await frame(); await frame(); return there; },
  toEnd: async () => { list.current?.toEnd(); await frame(); await frame(); },
  earlier: () => earlier,
  frame,
};

declare global {
  interface Window {
    harness: typeof harness;
  }
}
window.harness = harness;
