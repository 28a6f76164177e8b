import { Outlet, useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { type Access, useAccess } from "../api/access";
import { part } from "../part";
import { en } from "../strings/en";
import { Drawer } from "../ui/Drawer";
import { Banners } from "./Banners";
import { BottomBar } from "./BottomBar";
import { Closed, Destroyed } from "./Closed";
import { FailureToasts } from "./FailureToasts";
import { FirstRun } from "./FirstRun";
import { useAskKey, useSearchKey } from "./keys";
import { LiveRegion } from "./LiveRegion";
import { Navigation } from "./Navigation";
import "./shell.css";

const loadSearch = () => part(() => import("../search/index"));
const SearchPalette = lazy(loadSearch);
/** After so long the page is at rest: the search is fetched, so that no letter typed after Ctrl+K finds nothing there. */
const AT_REST_MS = 1_500;
const WhyDrawer = lazy(() => part(() => import("../why/index")));
const Tour = lazy(async () => ({ default: (await part(() => import("../tour/Tour"))).Tour }));

/** Addresses at which nothing can be visited yet: they stand alone, without navigation. */
const ALONE = new Set(["/unlock", "/welcome"]);

/** The frame around every page. */
export function Shell() {
  const access = useAccess();
  const { pathname, href } = useLocation();
  useUnlocking(access, pathname, href);
  const main = useFocusAfterMoves(pathname);
  const framed = (access === "open" || access === "locked") && !ALONE.has(pathname);
  return (
    <div className={framed ? "shell" : "shell shell-alone"}>
      <a className="skip" href="#main">
        {en.shell.skip}
      </a>
      {framed && <Frame />}
      {framed && pathname === "/" && <FirstRun />}
      <main id="main" className="shell-main" ref={main} tabIndex={-1}>
        <Banners />
        {access === "closed" ? <Closed /> : access === "gone" ? <Destroyed /> : <Outlet />}
      </main>
      <LiveRegion />
      <FailureToasts />
    </div>
  );
}

/** Navigation and what opens above the page. */
function Frame() {
  const [open, setOpen] = useState<"menu" | "search" | null>(null);
  const close = useCallback(() => setOpen(null), []);
  useEffect(() => {
    // Who opens the search hears of what fails.
    const resting = setTimeout(() => void loadSearch().catch(() => undefined), AT_REST_MS);
    return () => clearTimeout(resting);
  }, []);
  const search = useCallback(() => setOpen("search"), []);
  useSearchKey(search);
  const navigate = useNavigate();
  const ask = useCallback(() => {
    close();
    void navigate({ to: "/" });
  }, [close, navigate]);
  useAskKey(ask);
  return (
    <>
      <aside className="shell-side">
        <Navigation onSearch={search} />
      </aside>
      <BottomBar onMenu={() => setOpen("menu")} onSearch={search} />
      <Drawer open={open === "menu"} onOpenChange={close} title={en.shell.name} side="left">
        <Navigation onSearch={search} onChoose={close} named={false} />
      </Drawer>
      <Suspense fallback={null}>
        {open === "search" && <SearchPalette onClose={close} />}
        <WhyDrawer />
        <Tour />
      </Suspense>
    </>
  );
}

/** Leads to the page that asks for the passphrase, and back to where one was. */
function useUnlocking(access: Access, pathname: string, href: string): void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const from = useRef("/");
  useEffect(() => {
    if (access === "locked" && pathname !== "/unlock") {
      from.current = href;
      void navigate({ to: "/unlock", replace: true });
    }
    // No address of what is gone stays in sight.
    if (access === "gone" && pathname !== "/") void navigate({ to: "/", replace: true });
    if (access === "open" && pathname === "/unlock") history.replace(from.current);
  }, [access, pathname, href, navigate, history]);
}

/** After a move to another page the keyboard and the screen reader begin at its content. Not on the first load. */
function useFocusAfterMoves(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
