import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, notFound, redirect, retainSearchParams, rootRouteId,
} from "@tanstack/react-router";
import { alertQuery } from "../api/alerts.ts";
import { identityQuery } from "../api/auth.ts";
import { METRICS, TIME_FRAMES, idListParameter, botIdParameter, offsetParameter } from "../core/bots.ts";
import { dataFieldsOf } from "../scope/dataFields.ts";
import { type ScopeSearch, oneOf, appPath, parseSearch, scopeSearch, stringifySearch, text } from "../scope/search.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import { beginDashboard } from "./beginDashboard.ts";
import { NothingHere } from "./NothingHere.tsx";
import { Root } from "./Root.tsx";

type Raw = Record<string, unknown>;

type Readers = Record<string, (value: unknown) => unknown>;
type Taken<Named extends Readers> = { [Name in keyof Named]?: Exclude<ReturnType<Named[Name]>, undefined> };

/** Take the parameters of a page out of a raw search, each by its reader; what is malformed is left out. */
const withParameters =
  <Named extends Readers>(readers: Named) =>
  (raw: Raw): Taken<Named> => {
    const values = Object.entries(readers).map(([name, read]) => [name, read(raw[name])]);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Taken<Named>;
  };

/** The same with the scope, which every page about data has. */
const withScope =
  <Named extends Readers>(readers: Named) =>
  (raw: Raw): ScopeSearch & Taken<Named> => ({ ...scopeSearch(raw), ...withParameters(readers)(raw) });

/** Return a reader that takes some words only. */
const anyOf =
  <Word extends string>(...words: readonly Word[]) =>
  (value: unknown): Word | undefined => oneOf(value, words);

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NothingHere,
  errorComponent: LoadFailed,
});

// Whoever is not signed in.

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  // The type is written out, as beforeLoad cannot infer it.
  validateSearch: (raw: Raw): { next?: string } => withParameters({ next: text })(raw),
  beforeLoad: async ({ context, search }) => {
    const identity = await context.queryClient.query({ ...identityQuery, staleTime: "static" });
    if (!identity) return;
    const { firstPagePath } = await import("./firstPage.ts");
    throw redirect({ href: appPath(search.next) ?? (await firstPagePath(context.queryClient)), replace: true });
  },
  component: lazyRouteComponent(() => import("../pages/auth/HomePage.tsx"), "HomePage"),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: "/forgot",
  component: lazyRouteComponent(() => import("../pages/auth/ForgotPage.tsx"), "ForgotPage"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  validateSearch: withParameters({ token: text }),
  component: lazyRouteComponent(() => import("../pages/auth/ResetPage.tsx"), "ResetPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  validateSearch: withParameters({ token: text }),
  component: lazyRouteComponent(() => import("../pages/auth/InvitePage.tsx"), "InvitePage"),
});

// Members. The environment stays from page to page; time ranges and filters belong to the page where they were chosen.

const member = createRoute({
  getParentRoute: () => root,
  id: "member",
  validateSearch: (raw: Raw): ScopeSearch => scopeSearch(raw),
  search: { middlewares: [retainSearchParams(["env"])] },
  beforeLoad: async ({ context, location, matches }) => {
    const identity = await context.queryClient.query({ ...identityQuery, staleTime: "static" });
    // An address that leads nowhere does so for whoever signs in, too.
    if (!identity && matches.some(({ routeId }) => routeId === "/member/$")) notFound({ routeId: rootRouteId, throw: true });
    if (!identity) throw redirect({ to: "/", search: { next: location.href }, replace: true });
    return { identity };
  },
  component: lazyRouteComponent(() => import("./Shell.tsx"), "Shell"),
});

const start = createRoute({
  getParentRoute: () => member,
  path: "/start",
  // In the address, so that the pages after it show what was sent from here.
  validateSearch: (raw: Raw): ScopeSearch => ({ env: "development", ...scopeSearch(raw) }),
  component: lazyRouteComponent(() => import("../pages/start/StartPage.tsx"), "StartPage"),
});

const dashboards = createRoute({
  getParentRoute: () => member,
  path: "/dashboards",
  validateSearch: withScope({ q: text, new: text }),
  component: lazyRouteComponent(() => import("../pages/dashboards/ListPage.tsx"), "ListPage"),
});

const dashboard = createRoute({
  getParentRoute: () => member,
  path: "/d/$id",
  validateSearch: withScope({ edit: anyOf("1"), who: text, at: text }),
  loader: ({ context, params, location, cause }) =>
    beginDashboard(context.queryClient, params.id, dataFieldsOf(scopeSearch(location.search)), cause),
  component: lazyRouteComponent(() => import("../pages/dashboards/DashboardPage.tsx"), "DashboardPage"),
});

const widget = createRoute({
  getParentRoute: () => member,
  path: "/d/$id/w/$widgetId",
  // The dashboard is still being arranged when its editor closes.
  validateSearch: withScope({ kind: text, edit: anyOf("1") }),
  component: lazyRouteComponent(() => import("../pages/widgets/EditorPage.tsx"), "EditorPage"),
});

const events = createRoute({
  getParentRoute: () => member,
  path: "/events",
  validateSearch: withScope({ sel: text, name: text }),
  component: lazyRouteComponent(() => import("../pages/events/ListPage.tsx"), "ListPage"),
});

const actors = createRoute({
  getParentRoute: () => member,
  path: "/actors",
  validateSearch: withScope({ q: text }),
  component: lazyRouteComponent(() => import("../pages/actors/ListPage.tsx"), "ListPage"),
});

const actor = createRoute({
  getParentRoute: () => member,
  path: "/actors/$actorKey",
  validateSearch: withScope({ key: text, sel: text }),
  component: lazyRouteComponent(() => import("../pages/actors/DetailPage.tsx"), "DetailPage"),
});

const groups = createRoute({
  getParentRoute: () => member,
  path: "/groups",
  validateSearch: withScope({ q: text, propKey: text }),
  component: lazyRouteComponent(() => import("../pages/groups/ListPage.tsx"), "ListPage"),
});

const group = createRoute({
  getParentRoute: () => member,
  path: "/groups/$groupKey",
  validateSearch: withScope({ key: text, propKey: text, sel: text }),
  component: lazyRouteComponent(() => import("../pages/groups/DetailPage.tsx"), "DetailPage"),
});

const alerts = createRoute({
  getParentRoute: () => member,
  path: "/alerts",
  validateSearch: withScope({ tab: anyOf("rules", "channels"), sel: text }),
  component: lazyRouteComponent(() => import("../pages/alerts/ListPage.tsx"), "ListPage"),
});

const newAlert = createRoute({
  getParentRoute: () => member,
  path: "/alerts/new",
  validateSearch: withScope({ event: text, measure: text, property: text }),
  component: lazyRouteComponent(() => import("../pages/alerts/NewPage.tsx"), "NewPage"),
});

const alert = createRoute({
  getParentRoute: () => member,
  path: "/alerts/$alertId",
  validateSearch: withScope({}),
  loader: ({ context, params }) => context.queryClient.query(alertQuery(params.alertId)).catch(() => undefined),
  component: lazyRouteComponent(() => import("../pages/alerts/DetailPage.tsx"), "DetailPage"),
});

const digests = createRoute({
  getParentRoute: () => member,
  path: "/digests",
  validateSearch: withScope({ sel: text, dashboard: text, new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../pages/digests/ListPage.tsx"), "ListPage"),
});

const annotations = createRoute({
  getParentRoute: () => member,
  path: "/annotations",
  validateSearch: withScope({ new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../pages/annotations/ListPage.tsx"), "ListPage"),
});

const segments = createRoute({
  getParentRoute: () => member,
  path: "/segments",
  validateSearch: withScope({ new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../pages/segments/ListPage.tsx"), "ListPage"),
});

/** A counter of bots and how far back its history goes. */
const HISTORY = { metric: anyOf(...METRICS), timeFrame: anyOf(...TIME_FRAMES) };

const bots = createRoute({
  getParentRoute: () => member,
  path: "/bots",
  validateSearch: withScope({
    q: text, sort: anyOf(...METRICS), dir: anyOf("asc"), offset: offsetParameter, ids: idListParameter,
  }),
  component: lazyRouteComponent(() => import("../pages/bots/RankingsPage.tsx"), "RankingsPage"),
});

const bot = createRoute({
  getParentRoute: () => member,
  path: "/bots/$botId",
  validateSearch: withScope({ ...HISTORY, by: anyOf("hour", "day"), offset: offsetParameter }),
  component: lazyRouteComponent(() => import("../pages/bots/BotPage.tsx"), "BotPage"),
});

const voter = createRoute({
  getParentRoute: () => member,
  path: "/bots/$botId/votes/$userId",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../pages/bots/VoterPage.tsx"), "VoterPage"),
});

const owner = createRoute({
  getParentRoute: () => member,
  path: "/bots/users/$userId",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../pages/bots/OwnerPage.tsx"), "OwnerPage"),
});

const compare = createRoute({
  getParentRoute: () => member,
  path: "/bots/compare",
  validateSearch: withScope({ ...HISTORY, ids: idListParameter }),
  component: lazyRouteComponent(() => import("../pages/bots/ComparePage.tsx"), "ComparePage"),
});

const feeding = createRoute({
  getParentRoute: () => member,
  path: "/bots/feeding",
  validateSearch: withScope({ bot: botIdParameter, new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../pages/bots/FeedingPage.tsx"), "FeedingPage"),
});

const image = createRoute({
  getParentRoute: () => member,
  path: "/bots/image",
  validateSearch: withScope({ ...HISTORY, ids: idListParameter }),
  component: lazyRouteComponent(() => import("../pages/images/BuilderPage.tsx"), "BuilderPage"),
});

const keys = createRoute({
  getParentRoute: () => member,
  path: "/keys",
  validateSearch: withScope({ new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../pages/keys/ListPage.tsx"), "ListPage"),
});

const sources = createRoute({
  getParentRoute: () => member,
  path: "/sources",
  validateSearch: withScope({ new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../pages/external-sources/ListPage.tsx"), "ListPage"),
});

const settings = createRoute({
  getParentRoute: () => member,
  path: "/settings",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../pages/settings/SettingsPage.tsx"), "SettingsPage"),
});

const importing = createRoute({
  getParentRoute: () => member,
  path: "/import",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../pages/transfer/ImportPage.tsx"), "ImportPage"),
});

const exporting = createRoute({
  getParentRoute: () => member,
  path: "/export",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../pages/transfer/ExportPage.tsx"), "ExportPage"),
});

/** Every other address: the navigation stays. */
const nowhere = createRoute({
  getParentRoute: () => member,
  path: "$",
  validateSearch: withScope({}),
  component: NothingHere,
});

/** The whole map of the app. */
const routeTree = root.addChildren([
  home,
  forgot,
  reset,
  invite,
  member.addChildren([start, dashboards, dashboard, widget, events, actors, actor, groups, group, alerts, newAlert, alert, digests, annotations, segments, bots, bot, voter, owner, compare, feeding, image, keys, sources, settings, importing, exporting, nowhere]),
]);

/** Return the router of the app. */
export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    // What no route of a page takes is not there for it.
    search: { strict: true },
    defaultPreload: "intent",
    // A page that does not load leaves the frame around it.
    defaultErrorComponent: LoadFailed,
    scrollRestoration: true,
    // Keys of actors and groups hold slashes, spaces and anything else.
    pathParamsAllowedCharacters: [":", "@"],
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
