import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { identityQuery } from "../api/auth.ts";
import { askedOf } from "../scope/asked.ts";
import { type ScopeSearch, oneOf, ownPath, parseSearch, scopeSearch, stringifySearch, text } from "../scope/search.ts";
import { LoadFailed } from "./LoadFailed.tsx";
import { beginDashboard } from "./beginDashboard.ts";
import { NothingHere } from "./NothingHere.tsx";
import { Root } from "./Root.tsx";

type Raw = Record<string, unknown>;

const scoped =
  <More extends object>(more: (raw: Raw) => More) =>
  (raw: Raw): ScopeSearch & More => ({ ...scopeSearch(raw), ...more(raw) });

/** A parameter that stands in the search only when it is there. */
function given<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>;
}

const none = () => ({});

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NothingHere,
  errorComponent: LoadFailed,
});

// Whoever is not signed in.

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (raw: Raw) => given("next", text(raw.next)),
  beforeLoad: async ({ context, search }) => {
    const identity = await context.queryClient.query({ ...identityQuery, staleTime: "static" });
    if (identity) throw redirect({ href: ownPath(search.next) ?? "/dashboards", replace: true });
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
  validateSearch: (raw: Raw) => given("token", text(raw.token)),
  component: lazyRouteComponent(() => import("../pages/auth/ResetPage.tsx"), "ResetPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  validateSearch: (raw: Raw) => given("token", text(raw.token)),
  component: lazyRouteComponent(() => import("../pages/auth/InvitePage.tsx"), "InvitePage"),
});

// Members. The environment stays from page to page; spans and filters belong to the page where they were chosen.

const member = createRoute({
  getParentRoute: () => root,
  id: "member",
  validateSearch: (raw: Raw): ScopeSearch => scopeSearch(raw),
  search: { middlewares: [retainSearchParams(["env"])] },
  beforeLoad: async ({ context, location }) => {
    const identity = await context.queryClient.query({ ...identityQuery, staleTime: "static" });
    if (!identity) throw redirect({ to: "/", search: { next: location.href }, replace: true });
    return { identity };
  },
  component: lazyRouteComponent(() => import("./Shell.tsx"), "Shell"),
});

const start = createRoute({
  getParentRoute: () => member,
  path: "/start",
  validateSearch: scoped(none),
  component: lazyRouteComponent(() => import("../pages/start/StartPage.tsx"), "StartPage"),
});

const dashboards = createRoute({
  getParentRoute: () => member,
  path: "/dashboards",
  validateSearch: scoped((raw) => ({ ...given("q", text(raw.q)), ...given("new", text(raw.new)) })),
  component: lazyRouteComponent(() => import("../pages/dashboards/ListPage.tsx"), "ListPage"),
});

const dashboard = createRoute({
  getParentRoute: () => member,
  path: "/d/$id",
  validateSearch: scoped((raw) => given("edit", oneOf(raw.edit, ["1"]))),
  loader: ({ context, params, location, cause }) =>
    beginDashboard(context.queryClient, params.id, askedOf(scopeSearch(location.search)), cause),
  component: lazyRouteComponent(() => import("../pages/dashboards/DashboardPage.tsx"), "DashboardPage"),
});

const widget = createRoute({
  getParentRoute: () => member,
  path: "/d/$id/w/$widgetId",
  validateSearch: scoped((raw) => given("kind", text(raw.kind))),
  component: lazyRouteComponent(() => import("../pages/widgets/EditorPage.tsx"), "EditorPage"),
});

const events = createRoute({
  getParentRoute: () => member,
  path: "/events",
  validateSearch: scoped((raw) => ({ ...given("sel", text(raw.sel)), ...given("name", text(raw.name)) })),
  component: lazyRouteComponent(() => import("../pages/events/ListPage.tsx"), "ListPage"),
});

const actors = createRoute({
  getParentRoute: () => member,
  path: "/actors",
  validateSearch: scoped((raw) => given("q", text(raw.q))),
  component: lazyRouteComponent(() => import("../pages/actors/ListPage.tsx"), "ListPage"),
});

const actor = createRoute({
  getParentRoute: () => member,
  path: "/actors/$actorKey",
  validateSearch: scoped((raw) => ({ ...given("key", text(raw.key)), ...given("sel", text(raw.sel)) })),
  component: lazyRouteComponent(() => import("../pages/actors/DetailPage.tsx"), "DetailPage"),
});

const groups = createRoute({
  getParentRoute: () => member,
  path: "/groups",
  validateSearch: scoped((raw) => ({ ...given("q", text(raw.q)), ...given("propKey", text(raw.propKey)) })),
  component: lazyRouteComponent(() => import("../pages/groups/ListPage.tsx"), "ListPage"),
});

const group = createRoute({
  getParentRoute: () => member,
  path: "/groups/$groupKey",
  validateSearch: scoped((raw) => ({
    ...given("key", text(raw.key)),
    ...given("propKey", text(raw.propKey)),
    ...given("sel", text(raw.sel)),
  })),
  component: lazyRouteComponent(() => import("../pages/groups/DetailPage.tsx"), "DetailPage"),
});

const keys = createRoute({
  getParentRoute: () => member,
  path: "/keys",
  validateSearch: scoped((raw) => given("new", oneOf(raw.new, ["1"]))),
  component: lazyRouteComponent(() => import("../pages/keys/ListPage.tsx"), "ListPage"),
});

/** The whole map of the app. */
const routeTree = root.addChildren([
  home,
  forgot,
  reset,
  invite,
  member.addChildren([start, dashboards, dashboard, widget, events, actors, actor, groups, group, keys]),
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
