import { useLayoutEffect, useRef, useState } from "react";

import { part } from "../part";
import { admit } from "./sanitise";
import { isShowable } from "./text";

interface Props {
  readonly tex: string;
  /** As the model wrote it: what is shown until the formula is drawn, and if it cannot be. */
  readonly source: string;
  readonly display: boolean;
}

type Drawer = typeof import("./formula").drawFormula;
let drawer: Drawer | null = null;
let loading: Promise<void> | null = null;

function load(): Promise<void> {
  loading ??= part(() => import("./formula")).then((module) => {
    drawer = module.drawFormula;
  });
  return loading;
}

/** A formula, drawn by the browser's own MathML. */
export function Formula({ tex, source, display }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState(false);
  useLayoutEffect(() => {
    let wanted = true;
    const draw = () => {
      if (wanted && place.current && drawer) setDrawn(drawer(tex, place.current, display));
    };
    if (drawer) draw();
    else void load().then(draw, () => undefined);
    return () => {
      wanted = false;
    };
  }, [tex, display]);
  return (
    <span className={display ? "md-formula md-display" : "md-formula"} dir="ltr">
      <span ref={place} hidden={!drawn} />
      {!drawn && <code className="md-tex">{source}</code>}
    </span>
  );
}

admit(Formula, ({ tex, source }: Props) => isShowable(source) && isShowable(tex));
