/** Events, who sent them, and how they come and go as files. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { text } from "../../scope/search.ts";
import { member } from "./frame.ts";
import { anyOf, withScope } from "./parameters.ts";

const events = createRoute({
  getParentRoute: () => member,
  path: "/events",
  validateSearch: withScope({ sel: text, name: text }),
  component: lazyRouteComponent(() => import("../../pages/events/ListPage.tsx"), "ListPage"),
});

const actors = createRoute({
  getParentRoute: () => member,
  path: "/actors",
  validateSearch: withScope({ q: text, sort: anyOf("lastSeen", "firstSeen") }),
  component: lazyRouteComponent(() => import("../../pages/actors/ListPage.tsx"), "ListPage"),
});

const actor = createRoute({
  getParentRoute: () => member,
  path: "/actors/$actorKey",
  validateSearch: withScope({ key: text, sel: text }),
  component: lazyRouteComponent(() => import("../../pages/actors/DetailPage.tsx"), "DetailPage"),
});

const groups = createRoute({
  getParentRoute: () => member,
  path: "/groups",
  validateSearch: withScope({ q: text, propKey: text, sort: anyOf("lastSeen") }),
  component: lazyRouteComponent(() => import("../../pages/groups/ListPage.tsx"), "ListPage"),
});

const group = createRoute({
  getParentRoute: () => member,
  path: "/groups/$groupKey",
  validateSearch: withScope({ key: text, propKey: text, sel: text }),
  component: lazyRouteComponent(() => import("../../pages/groups/DetailPage.tsx"), "DetailPage"),
});

const importing = createRoute({
  getParentRoute: () => member,
  path: "/import",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../../pages/transfer/ImportPage.tsx"), "ImportPage"),
});

const exporting = createRoute({
  getParentRoute: () => member,
  path: "/export",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../../pages/transfer/ExportPage.tsx"), "ExportPage"),
});

export const eventRoutes = [events, actors, actor, groups, group, importing, exporting] as const;
