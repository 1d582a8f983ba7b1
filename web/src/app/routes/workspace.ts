/** The workspace itself, and every address that is no page. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { type ScopeSearch, scopeSearch } from "../../scope/search.ts";
import { NothingHere } from "../NothingHere.tsx";
import { member } from "./frame.ts";
import { type Raw, anyOf, withScope } from "./parameters.ts";

const start = createRoute({
  getParentRoute: () => member,
  path: "/start",
  // In the address, so that the pages after it show what was sent from here.
  validateSearch: (raw: Raw): ScopeSearch => ({ env: "development", ...scopeSearch(raw) }),
  component: lazyRouteComponent(() => import("../../pages/start/StartPage.tsx"), "StartPage"),
});

const keys = createRoute({
  getParentRoute: () => member,
  path: "/keys",
  validateSearch: withScope({ new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../../pages/keys/ListPage.tsx"), "ListPage"),
});

const settings = createRoute({
  getParentRoute: () => member,
  path: "/settings",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../../pages/settings/SettingsPage.tsx"), "SettingsPage"),
});

/** Every other address: the navigation stays. */
const nowhere = createRoute({
  getParentRoute: () => member,
  path: "$",
  validateSearch: withScope({}),
  component: NothingHere,
});

export const workspaceRoutes = [start, keys, settings, nowhere] as const;
