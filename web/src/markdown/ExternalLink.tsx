import { useEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";

import { addressOf } from "./address";
import { admit } from "./sanitise";
import { markdownWords as words } from "./words";

interface Props {
  readonly href: string;
  readonly children?: ReactNode;
}

/** Open `href` in a new tab that knows nothing about this one. */
function open(href: string): void {
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.target = "_blank";
  anchor.rel = "noopener noreferrer nofollow";
  anchor.referrerPolicy = "no-referrer";
  anchor.click();
}

function Confirm({ href, goesTo, onClose }: { readonly href: string; readonly goesTo: string; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  // Closed by the browser's own way it gives focus back to the link.
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} className="md-confirm" onClose={onClose} aria-label={words.openAddress}>
      <p className="md-confirm-question">{words.openAddress}</p>
      <p>
        {words.goesTo} <strong>{goesTo}</strong>
      </p>
      <p>
        <code className="md-address">{href}</code>
      </p>
      <div className="md-confirm-choice">
        <button type="button" onClick={close}>
          {words.stay}
        </button>
        <button
          type="button"
          onClick={() => {
            open(href);
            close();
          }}
        >
          {words.openIt}
        </button>
      </div>
    </dialog>
  );
}

/**
 * A link out of an answer: a button, and no anchor, until a person has seen where it leads.
 *
 * A browser may look up the hosts of anchors on its own, which would tell them what a model wrote.
 */
export function ExternalLink({ href, children }: Props) {
  const [asking, setAsking] = useState(false);
  const address = addressOf(href);
  if (!address) return <>{children}</>;
  return (
    <>
      <button type="button" role="link" className="md-link" title={address.href} onClick={() => setAsking(true)}>
        {children}
      </button>
      {asking && createPortal(<Confirm {...address} onClose={() => setAsking(false)} />, document.body)}
    </>
  );
}

admit(ExternalLink, ({ href }: Props) => addressOf(href) !== null);
