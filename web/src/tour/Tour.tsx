import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { type Place, placeOf } from "./place";
import { STEPS, type Step } from "./steps";
import { endTour, move, useTour } from "./tour";
import "./tour.css";

/** Milliseconds between two looks at where the element is: pages change under the tour. */
const LOOK = 200;
/** Pixels between the element and its ring. */
const GAP = 6;

/** Five places of the app, one after the other. The page stays usable all the while. */
export function Tour() {
  const at = useTour();
  const step = at === null ? undefined : STEPS[at];
  return at === null || step === undefined ? null : <Stop key={step.key} at={at} step={step} />;
}

function Stop({ at, step }: { at: number; step: Step }) {
  const words = en.welcome;
  const rect = useRect(step);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const { title: name, text } = words.steps[step.key];
  const card = useRef<HTMLElement>(null);
  const place = usePlace(card, rect);
  return (
    <>
      {rect && (
        <div
          className="tour-ring"
          aria-hidden="true"
          style={{ top: rect.top - GAP, left: rect.left - GAP, width: rect.width + 2 * GAP, height: rect.height + 2 * GAP }}
        />
      )}
      {/* Keys that move on are those of the card itself; the page below keeps its own. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section ref={card} className={place === "top" ? "tour tour-top" : "tour"} aria-label={words.tourLabel} onKeyDown={press}>
        <header className="tour-head">
          <p className="soft tabular">{words.step(at + 1, STEPS.length)}</p>
          <IconButton size="s" icon="close" label={words.end} tip={false} onClick={endTour} />
        </header>
        <h2 className="tour-title" ref={title} tabIndex={-1}>
          {name}
        </h2>
        <p>{text}</p>
        {rect === null && <p className="soft">{words.notHere}</p>}
        <footer className="tour-foot">
          {at > 0 && (
            <Button kind="quiet" size="s" onClick={() => move(-1)}>
              {words.back}
            </Button>
          )}
          <Button kind="primary" size="s" onClick={() => move(1)}>
            {at === STEPS.length - 1 ? words.finish : words.next}
          </Button>
        </footer>
      </section>
    </>
  );
}

function press(event: KeyboardEvent): void {
  if (event.key === "Escape") endTour();
  else if (event.key === "ArrowRight") move(1);
  else if (event.key === "ArrowLeft") move(-1);
  else return;
  event.preventDefault();
}

/** Where the card stands, by what it would cover: what it points at, or the box in which one writes. */
function usePlace(card: RefObject<HTMLElement | null>, target: DOMRect | null): Place {
  const [place, setPlace] = useState<Place>("bottom");
  useLayoutEffect(() => {
    const element = card.current;
    if (element === null) return undefined;
    const boxes = [...document.querySelectorAll("form.composer")].map((each) => each.getBoundingClientRect());
    const next = placeOf(bothPlaces(element), target, boxes);
    const frame = requestAnimationFrame(() => setPlace(next));
    return () => cancelAnimationFrame(frame);
  }, [card, target]);
  return place;
}

/** The card in both of its places; where it stands now does not count. */
function bothPlaces(card: HTMLElement): Record<Place, DOMRect> {
  const { classList } = card;
  const now = classList.contains("tour-top");
  const at = (top: boolean) => {
    classList.toggle("tour-top", top);
    return card.getBoundingClientRect();
  };
  const both = { top: at(true), bottom: at(false) };
  classList.toggle("tour-top", now);
  return both;
}

/** Where the element of a step is now; null where it is not in sight. It is scrolled to once. */
function useRect(step: Step): DOMRect | null {
  const [rect, setRect] = useState<DOMRect | null>(null);
  useEffect(() => {
    let found: Element | null = null;
    const look = () => {
      const now = step.find();
      if (now !== found) now?.scrollIntoView({ block: "nearest" });
      found = now;
      const next = now?.getBoundingClientRect() ?? null;
      setRect((before) => (same(before, next) ? before : next));
    };
    look();
    const timer = setInterval(look, LOOK);
    window.addEventListener("scroll", look, { capture: true, passive: true });
    window.addEventListener("resize", look);
    return () => {
      clearInterval(timer);
      window.removeEventListener("scroll", look, { capture: true });
      window.removeEventListener("resize", look);
    };
  }, [step]);
  return rect;
}

function same(a: DOMRect | null, b: DOMRect | null): boolean {
  if (a === null || b === null) return a === b;
  return a.top === b.top && a.left === b.left && a.width === b.width && a.height === b.height;
}
