import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { part } from "./part";
import { PageError } from "./shell/PageError";
import { NotFound } from "./shell/NotFound";
import { PageLoading } from "./shell/PageLoading";
import { Shell } from "./shell/Shell";

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  /** `why`: the question whose reasons are shown beside the page. */
  validateSearch: (search: Record<string, unknown>): { why?: string | undefined } =>
    typeof search.why === "string" ? { why: search.why } : {},
});

/** The parts of "Under the hood", in the order of its tabs. */
export const HOOD_SECTIONS = [
  "record",
  "domains",
  "calibration",
  "votes",
  "reviewers",
  "compliance",
  "ledger",
  "routing",
  "usage",
  "egress",
  "audit",
] as const;
export type HoodSection = (typeof HOOD_SECTIONS)[number];

const ask = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => part(() => import("./pages/ask/index"))),
});
const conversation = createRoute({
  getParentRoute: () => root,
  path: "/c/$id",
  /** `message`: the id of the message to open at, as search results name it. */
  validateSearch: (search: Record<string, unknown>): { message?: string } =>
    typeof search.message === "string" ? { message: search.message } : {},
  component: lazyRouteComponent(() => part(() => import("./pages/conversation/index"))),
});
const disagreement = createRoute({
  getParentRoute: () => root,
  path: "/disagreement/$query",
  component: lazyRouteComponent(() => part(() => import("./pages/disagreement/index"))),
});
const memory = createRoute({
  getParentRoute: () => root,
  path: "/memory",
  component: lazyRouteComponent(() => part(() => import("./pages/memory/index"))),
});
const correction = createRoute({
  getParentRoute: () => root,
  path: "/memory/$id",
  component: lazyRouteComponent(() => part(() => import("./pages/memory/index"))),
});
const hoodStart = createRoute({
  getParentRoute: () => root,
  path: "/hood",
  beforeLoad: () => {
    throw redirect({ to: "/hood/$section", params: { section: "record" }, replace: true });
  },
});
const hood = createRoute({
  getParentRoute: () => root,
  path: "/hood/$section",
  component: lazyRouteComponent(() => part(() => import("./pages/hood/index"))),
});
const settingsStart = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  beforeLoad: () => {
    throw redirect({ to: "/settings/$section", params: { section: "models" }, replace: true });
  },
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings/$section",
  component: lazyRouteComponent(() => part(() => import("./pages/settings/index"))),
});
const unlock = createRoute({
  getParentRoute: () => root,
  path: "/unlock",
  component: lazyRouteComponent(() => part(() => import("./pages/unlock/index"))),
});
const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: lazyRouteComponent(() => part(() => import("./pages/welcome/index"))),
});

export const router = createRouter({
  routeTree: root.addChildren([
    ask,
    conversation,
    disagreement,
    memory,
    correction,
    hoodStart,
    hood,
    settingsStart,
    settings,
    unlock,
    welcome,
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: PageError,
  defaultPendingComponent: PageLoading,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
