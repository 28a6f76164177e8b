import { memo, useEffect, useMemo, useState } from "react";

import type { TextBuffer } from "../streams/buffer";
import { blocksOf, LiveDocument, type Block } from "./document";
import { groupsOf, isSameGroup, pagesOf, type Page } from "./groups";
import { GroupView } from "./GroupView";
import "./markdown.css";

interface PageProps {
  readonly page: Page;
  /** More may follow, but not on this page. */
  readonly settled: boolean;
}

const PageView = memo(
  function PageView({ page, settled }: PageProps) {
    const groups = page.map((group) => (
      <div key={group.key} className="md-block">
        <GroupView group={group} />
      </div>
    ));
    return <div className={settled ? "md-page md-settled" : "md-page"}>{groups}</div>;
  },
  (one, other) =>
    one.settled === other.settled &&
    one.page.length === other.page.length &&
    one.page.every((group, index) => isSameGroup(group, other.page[index])),
);

function Pages({ blocks, open }: { readonly blocks: readonly Block[]; readonly open: boolean }) {
  const pages = pagesOf(groupsOf(blocks));
  // The last page of a stream changes its height all the time: only what has ended may be skipped off the screen.
  return pages.map((page, index) => <PageView key={page[0]?.key} page={page} settled={open && index < pages.length - 1} />);
}

/** Blocks of texts that were shown lately: scrolling back and forth parses nothing twice. */
const known = new Map<string, readonly Block[]>();
const MOST_KNOWN = 300;

function knownBlocksOf(text: string): readonly Block[] {
  const before = known.get(text);
  const blocks = before ?? blocksOf(text);
  known.delete(text);
  known.set(text, blocks);
  const oldest = known.keys().next();
  if (known.size > MOST_KNOWN && !oldest.done) known.delete(oldest.value);
  return blocks;
}

/** A finished text of a model, shown safely. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => knownBlocksOf(text), [text]);
  return (
    <div className="md-text">
      <Pages blocks={blocks} open={false} />
    </div>
  );
});

interface Live {
  readonly blocks: readonly Block[];
  readonly closed: boolean;
}

function read(document: LiveDocument, buffer: TextBuffer): Live {
  document.update(buffer.text);
  if (buffer.closed) document.finish();
  return { blocks: document.blocks(), closed: buffer.closed };
}

/** Return the blocks of a growing text. The buffer tells of news once per animation frame, and so does this. */
function useLive(buffer: TextBuffer): Live {
  const [live, setLive] = useState<Live>({ blocks: [], closed: false });
  useEffect(() => {
    const document = new LiveDocument();
    const flush = () => setLive(read(document, buffer));
    flush();
    return buffer.subscribe(flush);
  }, [buffer]);
  return live;
}

/** A text of a model while it arrives; it ends as `Markdown` would show it. */
export function StreamingMarkdown({ buffer }: { readonly buffer: TextBuffer }) {
  const { blocks, closed } = useLive(buffer);
  return (
    <div className="md-text" aria-busy={!closed}>
      <Pages blocks={blocks} open={!closed} />
    </div>
  );
}
