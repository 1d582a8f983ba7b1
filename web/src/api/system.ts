import { queryOptions } from "@tanstack/react-query";
import { GET, answer } from "./client.ts";

/** Whether the server is ready, and which version of it runs. */
export const readinessQuery = queryOptions({
  queryKey: ["/readyz"],
  queryFn: ({ signal }) => answer(GET("/readyz", { signal })),
});
