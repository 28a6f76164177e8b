import temml from "temml";

import { isDirecting } from "./text";

/** What a formula may be made of (MathML Core, and what Temml writes). */
const TAGS = new Set(
  ("math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover " +
    "munderover mmultiscripts mprescripts none mtable mtr mtd menclose").split(" "),
);
const ATTRIBUTES = new Set(
  ("display displaystyle scriptlevel mathvariant stretchy fence separator lspace rspace symmetric form largeop " +
    "movablelimits minsize maxsize accent accentunder linethickness width height depth voffset columnalign rowspacing " +
    "columnspacing columnlines rowlines rowalign align notation mathcolor mathbackground columnspan rowspan dir style class").split(" "),
);
const STYLES = /^(?:color|background-color|border(?:-.+)?|padding(?:-.+)?|margin(?:-.+)?|text-align(?:-.+)?|width|height|display|math-(?:style|depth)|font-(?:size|weight|style|variant.*|feature-settings)|vertical-align)$/;
const CLASSES = /^(?:tml|ff|special|boxed|phasor|textbook|oldstyle|longdiv|actuarial|circle|mathcal|mathscr)[\w-]*(?: [\w-]+)*$/;
const LONGEST = 2000;
const MOST_NODES = 4000;
/** In em: no rule or space may cover the page. */
const MAX_SIZE: [number, number] = [20, 20];
const MAX_EXPAND = 300;

function cleanStyle(element: MathMLElement): void {
  for (const name of [...element.style]) {
    const value = element.style.getPropertyValue(name);
    if (!STYLES.test(name) || /url|expression|var\(|[\\<]/i.test(value)) element.style.removeProperty(name);
  }
}

/** Take from a formula everything that is not on the lists; return false if it holds an element that is not. */
function isClean(root: Element): boolean {
  const elements = [...root.querySelectorAll("*")];
  if (elements.length > MOST_NODES) return false;
  // What was refused as a character can still be written as a number: \char"202E turns round what follows it.
  if (isDirecting(root.textContent)) return false;
  for (const element of elements) {
    if (!TAGS.has(element.localName)) return false;
    for (const { name, value } of [...element.attributes]) {
      if (!ATTRIBUTES.has(name) || (name === "class" && !CLASSES.test(value))) element.removeAttribute(name);
    }
    cleanStyle(element as MathMLElement);
  }
  return true;
}

/** Draw `tex` into `place`; return false, with nothing drawn, if it cannot be or must not be. */
export function drawFormula(tex: string, place: HTMLElement, display: boolean): boolean {
  const drawing = document.createElement("span");
  try {
    if (tex.length > LONGEST) return false;
    temml.render(tex, drawing, {
      displayMode: display, throwOnError: true, trust: false, strict: true, annotate: false, macros: {},
      maxSize: MAX_SIZE, maxExpand: MAX_EXPAND,
    });
  } catch {
    return false;
  }
  const clean = isClean(drawing);
  place.replaceChildren(...(clean ? drawing.childNodes : []));
  return clean;
}
