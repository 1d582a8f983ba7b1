import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  retainSearchParams,
  rootRouteId,
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

const withScope =
  <More extends object>(more: (raw: Raw) => More) =>
  (raw: Raw): ScopeSearch & More => ({ ...scopeSearch(raw), ...more(raw) });

/** A parameter that stands in the search only when it is there. */
function optionalParameter<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>;
}

const noParameters = () => ({});

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NothingHere,
  errorComponent: LoadFailed,
});

// Whoever is not signed in.

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (raw: Raw) => optionalParameter("next", text(raw.next)),
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
  validateSearch: (raw: Raw) => optionalParameter("token", text(raw.token)),
  component: lazyRouteComponent(() => import("../pages/auth/ResetPage.tsx"), "ResetPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  validateSearch: (raw: Raw) => optionalParameter("token", text(raw.token)),
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
  validateSearch: withScope((raw) => ({ ...optionalParameter("q", text(raw.q)), ...optionalParameter("new", text(raw.new)) })),
  component: lazyRouteComponent(() => import("../pages/dashboards/ListPage.tsx"), "ListPage"),
});

const dashboard = createRoute({
  getParentRoute: () => member,
  path: "/d/$id",
  validateSearch: withScope((raw) => optionalParameter("edit", oneOf(raw.edit, ["1"]))),
  loader: ({ context, params, location, cause }) =>
    beginDashboard(context.queryClient, params.id, dataFieldsOf(scopeSearch(location.search)), cause),
  component: lazyRouteComponent(() => import("../pages/dashboards/DashboardPage.tsx"), "DashboardPage"),
});

const widget = createRoute({
  getParentRoute: () => member,
  path: "/d/$id/w/$widgetId",
  validateSearch: withScope((raw) => optionalParameter("kind", text(raw.kind))),
  component: lazyRouteComponent(() => import("../pages/widgets/EditorPage.tsx"), "EditorPage"),
});

const events = createRoute({
  getParentRoute: () => member,
  path: "/events",
  validateSearch: withScope((raw) => ({ ...optionalParameter("sel", text(raw.sel)), ...optionalParameter("name", text(raw.name)) })),
  component: lazyRouteComponent(() => import("../pages/events/ListPage.tsx"), "ListPage"),
});

const actors = createRoute({
  getParentRoute: () => member,
  path: "/actors",
  validateSearch: withScope((raw) => optionalParameter("q", text(raw.q))),
  component: lazyRouteComponent(() => import("../pages/actors/ListPage.tsx"), "ListPage"),
});

const actor = createRoute({
  getParentRoute: () => member,
  path: "/actors/$actorKey",
  validateSearch: withScope((raw) => ({ ...optionalParameter("key", text(raw.key)), ...optionalParameter("sel", text(raw.sel)) })),
  component: lazyRouteComponent(() => import("../pages/actors/DetailPage.tsx"), "DetailPage"),
});

const groups = createRoute({
  getParentRoute: () => member,
  path: "/groups",
  validateSearch: withScope((raw) => ({ ...optionalParameter("q", text(raw.q)), ...optionalParameter("propKey", text(raw.propKey)) })),
  component: lazyRouteComponent(() => import("../pages/groups/ListPage.tsx"), "ListPage"),
});

const group = createRoute({
  getParentRoute: () => member,
  path: "/groups/$groupKey",
  validateSearch: withScope((raw) => ({
    ...optionalParameter("key", text(raw.key)),
    ...optionalParameter("propKey", text(raw.propKey)),
    ...optionalParameter("sel", text(raw.sel)),
  })),
  component: lazyRouteComponent(() => import("../pages/groups/DetailPage.tsx"), "DetailPage"),
});

const alerts = createRoute({
  getParentRoute: () => member,
  path: "/alerts",
  validateSearch: withScope((raw) => ({ ...optionalParameter("tab", oneOf(raw.tab, ["rules", "channels"])), ...optionalParameter("sel", text(raw.sel)) })),
  component: lazyRouteComponent(() => import("../pages/alerts/ListPage.tsx"), "ListPage"),
});

const newAlert = createRoute({
  getParentRoute: () => member,
  path: "/alerts/new",
  validateSearch: withScope((raw) => ({
    ...optionalParameter("event", text(raw.event)),
    ...optionalParameter("measure", text(raw.measure)),
    ...optionalParameter("property", text(raw.property)),
  })),
  component: lazyRouteComponent(() => import("../pages/alerts/NewPage.tsx"), "NewPage"),
});

const alert = createRoute({
  getParentRoute: () => member,
  path: "/alerts/$alertId",
  validateSearch: withScope(noParameters),
  loader: ({ context, params }) => context.queryClient.query(alertQuery(params.alertId)).catch(() => undefined),
  component: lazyRouteComponent(() => import("../pages/alerts/DetailPage.tsx"), "DetailPage"),
});

const digests = createRoute({
  getParentRoute: () => member,
  path: "/digests",
  validateSearch: withScope((raw) => ({
    ...optionalParameter("sel", text(raw.sel)),
    ...optionalParameter("dashboard", text(raw.dashboard)),
    ...optionalParameter("new", oneOf(raw.new, ["1"])),
  })),
  component: lazyRouteComponent(() => import("../pages/digests/ListPage.tsx"), "ListPage"),
});

const annotations = createRoute({
  getParentRoute: () => member,
  path: "/annotations",
  validateSearch: withScope((raw) => optionalParameter("new", oneOf(raw.new, ["1"]))),
  component: lazyRouteComponent(() => import("../pages/annotations/ListPage.tsx"), "ListPage"),
});

const segments = createRoute({
  getParentRoute: () => member,
  path: "/segments",
  validateSearch: withScope((raw) => optionalParameter("new", oneOf(raw.new, ["1"]))),
  component: lazyRouteComponent(() => import("../pages/segments/ListPage.tsx"), "ListPage"),
});

/** A counter of bots and how far back its history goes. */
const historyParameters = (raw: Raw) => ({ ...optionalParameter("metric", oneOf(raw.metric, METRICS)), ...optionalParameter("timeFrame", oneOf(raw.timeFrame, TIME_FRAMES)) });

const bots = createRoute({
  getParentRoute: () => member,
  path: "/bots",
  validateSearch: withScope((raw) => ({
    ...optionalParameter("q", text(raw.q)),
    ...optionalParameter("sort", oneOf(raw.sort, METRICS)),
    ...optionalParameter("dir", oneOf(raw.dir, ["asc"])),
    ...optionalParameter("offset", offsetParameter(raw.offset)),
    ...optionalParameter("ids", idListParameter(raw.ids)),
  })),
  component: lazyRouteComponent(() => import("../pages/bots/RankingsPage.tsx"), "RankingsPage"),
});

const bot = createRoute({
  getParentRoute: () => member,
  path: "/bots/$botId",
  validateSearch: withScope((raw) => ({
    ...historyParameters(raw),
    ...optionalParameter("by", oneOf(raw.by, ["hour", "day"] as const)),
    ...optionalParameter("offset", offsetParameter(raw.offset)),
  })),
  component: lazyRouteComponent(() => import("../pages/bots/BotPage.tsx"), "BotPage"),
});

const voter = createRoute({
  getParentRoute: () => member,
  path: "/bots/$botId/votes/$userId",
  validateSearch: withScope(noParameters),
  component: lazyRouteComponent(() => import("../pages/bots/VoterPage.tsx"), "VoterPage"),
});

const owner = createRoute({
  getParentRoute: () => member,
  path: "/bots/users/$userId",
  validateSearch: withScope(noParameters),
  component: lazyRouteComponent(() => import("../pages/bots/OwnerPage.tsx"), "OwnerPage"),
});

const compare = createRoute({
  getParentRoute: () => member,
  path: "/bots/compare",
  validateSearch: withScope((raw) => ({ ...historyParameters(raw), ...optionalParameter("ids", idListParameter(raw.ids)) })),
  component: lazyRouteComponent(() => import("../pages/bots/ComparePage.tsx"), "ComparePage"),
});

const feeding = createRoute({
  getParentRoute: () => member,
  path: "/bots/feeding",
  validateSearch: withScope((raw) => ({
    ...optionalParameter("bot", botIdParameter(raw.bot)),
    ...optionalParameter("new", oneOf(raw.new, ["1"])),
  })),
  component: lazyRouteComponent(() => import("../pages/bots/FeedingPage.tsx"), "FeedingPage"),
});

const image = createRoute({
  getParentRoute: () => member,
  path: "/bots/image",
  validateSearch: withScope((raw) => ({ ...historyParameters(raw), ...optionalParameter("ids", idListParameter(raw.ids)) })),
  component: lazyRouteComponent(() => import("../pages/images/BuilderPage.tsx"), "BuilderPage"),
});

const keys = createRoute({
  getParentRoute: () => member,
  path: "/keys",
  validateSearch: withScope((raw) => optionalParameter("new", oneOf(raw.new, ["1"]))),
  component: lazyRouteComponent(() => import("../pages/keys/ListPage.tsx"), "ListPage"),
});

const sources = createRoute({
  getParentRoute: () => member,
  path: "/sources",
  validateSearch: withScope((raw) => optionalParameter("new", oneOf(raw.new, ["1"]))),
  component: lazyRouteComponent(() => import("../pages/external-sources/ListPage.tsx"), "ListPage"),
});

const settings = createRoute({
  getParentRoute: () => member,
  path: "/settings",
  validateSearch: withScope(noParameters),
  component: lazyRouteComponent(() => import("../pages/settings/SettingsPage.tsx"), "SettingsPage"),
});

const importing = createRoute({
  getParentRoute: () => member,
  path: "/import",
  validateSearch: withScope(noParameters),
  component: lazyRouteComponent(() => import("../pages/transfer/ImportPage.tsx"), "ImportPage"),
});

const exporting = createRoute({
  getParentRoute: () => member,
  path: "/export",
  validateSearch: withScope(noParameters),
  component: lazyRouteComponent(() => import("../pages/transfer/ExportPage.tsx"), "ExportPage"),
});

/** Every other address: the navigation stays. */
const nowhere = createRoute({
  getParentRoute: () => member,
  path: "$",
  validateSearch: withScope(noParameters),
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
