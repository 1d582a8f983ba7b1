/** The pages of whoever is not signed in. */
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { identityQuery } from "../../api/auth.ts";
import { appPath, text } from "../../scope/search.ts";
import { root } from "./frame.ts";
import { type Raw, withParameters } from "./parameters.ts";

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  // The type is written out, as beforeLoad cannot infer it.
  validateSearch: (raw: Raw): { next?: string } => withParameters({ next: text })(raw),
  beforeLoad: async ({ context, search }) => {
    const identity = await context.queryClient.query({ ...identityQuery, staleTime: "static" });
    if (!identity) return;
    const { firstPagePath } = await import("../firstPage.ts");
    throw redirect({ href: appPath(search.next) ?? (await firstPagePath(context.queryClient)), replace: true });
  },
  component: lazyRouteComponent(() => import("../../pages/auth/HomePage.tsx"), "HomePage"),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: "/forgot",
  component: lazyRouteComponent(() => import("../../pages/auth/ForgotPage.tsx"), "ForgotPage"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  validateSearch: withParameters({ token: text }),
  component: lazyRouteComponent(() => import("../../pages/auth/ResetPage.tsx"), "ResetPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  validateSearch: withParameters({ token: text }),
  component: lazyRouteComponent(() => import("../../pages/auth/InvitePage.tsx"), "InvitePage"),
});

export const signedOutRoutes = [home, forgot, reset, invite] as const;
