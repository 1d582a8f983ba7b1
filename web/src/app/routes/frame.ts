/** What is around every page: the root, and below it the frame of those that only members see. */
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, lazyRouteComponent, notFound, redirect, retainSearchParams, rootRouteId } from "@tanstack/react-router";
import { identityQuery } from "../../api/auth.ts";
import { type ScopeSearch, scopeSearch } from "../../scope/search.ts";
import { LoadFailed } from "../LoadFailed.tsx";
import { NothingHere } from "../NothingHere.tsx";
import { Root } from "../Root.tsx";
import type { Raw } from "./parameters.ts";

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NothingHere,
  errorComponent: LoadFailed,
});

/** The environment stays from page to page; time ranges and filters belong to the page where they were chosen. */
export const member = createRoute({
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
  component: lazyRouteComponent(() => import("../Shell.tsx"), "Shell"),
});
