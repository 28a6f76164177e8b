/** What may stand in the page after model text was shown; everything else is a finding. */
const ELEMENTS = new Set(
  ("p h2 h3 h4 h5 h6 strong em del br hr code pre blockquote ul ol li span div table thead tbody tr th td button figure " +
    "figcaption img mark dialog math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle mpadded mphantom msub msup " +
    "msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd menclose").split(" "),
);
const NEVER = /^(?:on|id$|name$|href|xlink|action|formaction|srcdoc|srcset|style$|ping|target$|background)/;
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\u0000-\u0008\u000b-\u001f]/u; // eslint-disable-line no-control-regex -- what must not be there

function attributesOf(element: Element): string[] {
  const inFormula = element.closest("math") !== null;
  return [...element.attributes]
    .filter(({ name, value }) => {
      if (name === "src") return !value.startsWith("data:image/");
      if (name === "style") return !inFormula || /url|fixed|absolute/.test(value);
      return NEVER.test(name);
    })
    .map(({ name, value }) => `${element.localName} has ${name}=${value}`);
}

/** Return what must not be in `root`. */
export function findings(root: Element): string[] {
  const all = [...root.querySelectorAll("*")];
  const elements = all.filter((element) => !ELEMENTS.has(element.localName)).map((element) => `<${element.localName}>`);
  const hidden = INVISIBLE.test(root.textContent) ? ["invisible characters"] : [];
  return [...elements, ...all.flatMap(attributesOf), ...hidden];
}
