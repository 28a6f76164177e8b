import { isShowable } from "./text";

/** An address that a person may open after seeing it in full. */
export interface Address {
  /** As the browser will ask for it. */
  readonly href: string;
  /** The host, or the mailbox of a mail address: what decides whom one talks to. */
  readonly goesTo: string;
}

const LONGEST = 2048;
const WEB = /^https?:\/\/([^/?#]*)/i;
const MAIL_HEADERS = new Set(["subject", "body", "cc"]);
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::\d{1,5})?$/;
const MAILBOX = /^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/;
// eslint-disable-next-line no-control-regex -- what a parser of addresses would drop in silence
const DROPPED_BY_PARSERS = /[\u0000-\u0020\u007f-\u00a0\\]/;

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function webAddress(text: string, written: string): Address | null {
  const url = parsed(text);
  const host = written.toLowerCase();
  // The host must be written the way the browser reads it: no letters of other scripts (they can look like Latin
  // ones), no xn-- that hides them, no percent signs, no numbers in disguise, no credentials before an @.
  if (!HOST.test(host) || host.includes("xn--")) return null;
  if (!url || url.username || url.password || !["http:", "https:"].includes(url.protocol)) return null;
  const bare = host.replace(/:\d+$/, "");
  return url.hostname === bare ? { href: url.href, goesTo: url.host } : null;
}

function mailAddress(text: string): Address | null {
  const url = parsed(text);
  if (url?.protocol !== "mailto:" || !MAILBOX.test(url.pathname)) return null;
  const known = [...url.searchParams.keys()].every((name) => MAIL_HEADERS.has(name.toLowerCase()));
  return known ? { href: url.href, goesTo: url.pathname } : null;
}

/**
 * Return the address that `text` names if it may be opened, else null.
 *
 * Only http, https and mailto, written out with their scheme: nothing relative, nothing without a scheme, no script,
 * no data, no host that could be mistaken for another.
 */
export function addressOf(text: string): Address | null {
  if (text.length > LONGEST || DROPPED_BY_PARSERS.test(text) || !isShowable(text)) return null;
  const web = WEB.exec(text);
  if (web) return webAddress(text, web[1] ?? "");
  return /^mailto:/i.test(text) ? mailAddress(text) : null;
}

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$/;
const LARGEST_PICTURE = 2 * 1024 * 1024;

/** Return the size in bytes of a picture that `text` carries in itself, or null if it carries none that may be shown. */
export function pictureBytes(text: string): number | null {
  const bytes = Math.floor((text.length - text.indexOf(",") - 1) * 0.75);
  return bytes <= LARGEST_PICTURE && PICTURE.test(text) ? bytes : null;
}
