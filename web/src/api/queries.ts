import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors.ts";

const RETRIED = new Set(["offline", "unavailable"]);

/** Return the store of what the server answered; a refusal is not asked again, a lost connection is. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && error instanceof ApiError && RETRIED.has(error.slug),
      },
    },
  });
}
