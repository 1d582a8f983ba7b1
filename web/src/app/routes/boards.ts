/** Dashboards, and what belongs on them. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { dataFieldsOf } from "../../scope/dataFields.ts";
import { scopeSearch, text } from "../../scope/search.ts";
import { beginDashboard } from "../beginDashboard.ts";
import { member } from "./frame.ts";
import { anyOf, withScope } from "./parameters.ts";

const dashboards = createRoute({
  getParentRoute: () => member,
  path: "/dashboards",
  // A question that somebody has sent as a link is asked in the palette, above this page.
  validateSearch: withScope({ q: text, new: text, ask: text }),
  component: lazyRouteComponent(() => import("../../pages/dashboards/ListPage.tsx"), "ListPage"),
});

const dashboard = createRoute({
  getParentRoute: () => member,
  path: "/d/$id",
  validateSearch: withScope({ edit: anyOf("1"), who: text, at: text, tab: anyOf("groups", "events") }),
  loader: ({ context, params, location, cause }) =>
    beginDashboard(context.queryClient, params.id, dataFieldsOf(scopeSearch(location.search)), cause),
  component: lazyRouteComponent(() => import("../../pages/dashboards/DashboardPage.tsx"), "DashboardPage"),
});

const widget = createRoute({
  getParentRoute: () => member,
  path: "/d/$id/w/$widgetId",
  // The dashboard is still being arranged when its editor closes.
  validateSearch: withScope({ kind: text, edit: anyOf("1") }),
  component: lazyRouteComponent(() => import("../../pages/widgets/EditorPage.tsx"), "EditorPage"),
});

const digests = createRoute({
  getParentRoute: () => member,
  path: "/digests",
  validateSearch: withScope({ sel: text, dashboard: text, new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../../pages/digests/ListPage.tsx"), "ListPage"),
});

const annotations = createRoute({
  getParentRoute: () => member,
  path: "/annotations",
  validateSearch: withScope({ new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../../pages/annotations/ListPage.tsx"), "ListPage"),
});

const segments = createRoute({
  getParentRoute: () => member,
  path: "/segments",
  validateSearch: withScope({ new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../../pages/segments/ListPage.tsx"), "ListPage"),
});

const sources = createRoute({
  getParentRoute: () => member,
  path: "/sources",
  validateSearch: withScope({ new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../../pages/external-sources/ListPage.tsx"), "ListPage"),
});

export const boardRoutes = [dashboards, dashboard, widget, digests, annotations, segments, sources] as const;
