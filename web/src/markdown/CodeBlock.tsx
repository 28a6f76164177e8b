import { useEffect, useState, type ReactNode } from "react";

import { part } from "../part";
import type { Run } from "./highlight";
import { Pieces } from "./Pieces";
import { admit, sanitised } from "./sanitise";
import { shown } from "./text";
import { markdownWords as words } from "./words";

interface Props {
  readonly code: string;
  readonly language: string;
  /** The fence has ended: nothing will be added. */
  readonly closed: boolean;
}

const MOST_COLOURED = 20_000;
const COPIED_FOR_MS = 1500;

function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(run, { timeout: 2000 });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(run, 200);
  return () => clearTimeout(handle);
}

/** Return the coloured runs of closed code once the browser has had nothing else to do; null until then. */
function useRuns({ code, language, closed }: Props): readonly Run[] | null {
  const [found, setFound] = useState<{ readonly code: string; readonly runs: readonly Run[] | null } | null>(null);
  useEffect(() => {
    if (!closed || !language || code.length > MOST_COLOURED) return undefined;
    let wanted = true;
    const cancel = whenIdle(() => {
      const coloured = part(() => import("./highlight")).then(({ highlighted }) => {
        if (wanted) setFound({ code, runs: highlighted(shown(code), language.toLowerCase()) });
      });
      // Without its colours code is still code.
      void coloured.catch(() => undefined);
    });
    return () => {
      wanted = false;
      cancel();
    };
  }, [code, language, closed]);
  return found?.code === code ? found.runs : null;
}

function drawn(run: Run, key: number): ReactNode {
  if (typeof run === "string") return run;
  const runs = run.runs.map(drawn);
  return (
    <span key={key} className={run.className || undefined}>
      {runs}
    </span>
  );
}

function Copy({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const handle = setTimeout(() => setCopied(false), COPIED_FOR_MS);
    return () => clearTimeout(handle);
  }, [copied]);
  // What is copied is what was seen: nothing invisible reaches a terminal.
  const copy = () => void navigator.clipboard.writeText(shown(text)).then(() => setCopied(true), () => undefined);
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {copied ? words.copied : words.copy}
    </button>
  );
}

/** A block of code: plain while it grows, coloured when it is complete and the browser idle. */
export function CodeBlock(props: Props) {
  const { code, language } = props;
  const [wrapped, setWrapped] = useState(false);
  const runs = useRuns(props);
  return (
    <figure className={wrapped ? "md-code md-wrapped" : "md-code"}>
      <figcaption>
        <span className="md-language">{shown(language) || words.code}</span>
        <button type="button" aria-pressed={wrapped} onClick={() => setWrapped(!wrapped)}>
          {words.wrap}
        </button>
        <Copy text={code} />
      </figcaption>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key */}
      <pre dir="ltr" tabIndex={0} role="region" aria-label={shown(language) || words.code}>
        <code>{runs ? sanitised(runs.map(drawn)) : <Pieces text={code} />}</code>
      </pre>
    </figure>
  );
}

admit(CodeBlock, () => true);
