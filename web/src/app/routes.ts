import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { parseSearch, stringifySearch } from "../scope/search.ts";
import { PageSkeleton } from "../ui/Page/PageSkeleton.tsx";
import { LoadFailed } from "./LoadFailed.tsx";
import { alertRoutes } from "./routes/alerts.ts";
import { boardRoutes } from "./routes/boards.ts";
import { botRoutes } from "./routes/bots.ts";
import { eventRoutes } from "./routes/events.ts";
import { member, root } from "./routes/frame.ts";
import { signedOutRoutes } from "./routes/signedOut.ts";
import { workspaceRoutes } from "./routes/workspace.ts";

/** The whole map of the app. */
const routeTree = root.addChildren([
  ...signedOutRoutes,
  member.addChildren([...boardRoutes, ...eventRoutes, ...alertRoutes, ...botRoutes, ...workspaceRoutes]),
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
    // While the first page waits for what its address names, the frame is there.
    defaultPendingComponent: PageSkeleton,
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
