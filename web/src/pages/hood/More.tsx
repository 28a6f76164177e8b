import { useEffect, useRef } from "react";
import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";

interface MoreProps {
  read: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown };
  /** Rows in sight now. */
  shown: number;
}

/** Reads the next rows of a list; says how many there are then. */
export function More({ read, shown }: MoreProps) {
  const before = useRef(shown);
  useEffect(() => {
    if (shown > before.current && before.current > 0) announce(en.hood.moreShown(shown));
    before.current = shown;
  }, [shown]);
  if (!read.hasNextPage) return null;
  return (
    <div className="hood-more">
      <Button busy={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
        {en.hood.showMore}
      </Button>
    </div>
  );
}
