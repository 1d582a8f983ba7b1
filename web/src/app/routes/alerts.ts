/** Alerts. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { alertQuery } from "../../api/alerts.ts";
import { text } from "../../scope/search.ts";
import { member } from "./frame.ts";
import { anyOf, withScope } from "./parameters.ts";

const alerts = createRoute({
  getParentRoute: () => member,
  path: "/alerts",
  validateSearch: withScope({ tab: anyOf("rules", "channels"), sel: text }),
  component: lazyRouteComponent(() => import("../../pages/alerts/ListPage.tsx"), "ListPage"),
});

const newAlert = createRoute({
  getParentRoute: () => member,
  path: "/alerts/new",
  validateSearch: withScope({ event: text, measure: text, property: text }),
  component: lazyRouteComponent(() => import("../../pages/alerts/NewPage.tsx"), "NewPage"),
});

const alert = createRoute({
  getParentRoute: () => member,
  path: "/alerts/$alertId",
  validateSearch: withScope({}),
  loader: ({ context, params }) => context.queryClient.query(alertQuery(params.alertId)).catch(() => undefined),
  component: lazyRouteComponent(() => import("../../pages/alerts/DetailPage.tsx"), "DetailPage"),
});

export const alertRoutes = [alerts, newAlert, alert] as const;
