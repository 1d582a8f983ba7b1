import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors.ts";

/** Asks at once and once only, also where the browser believes that it is offline. */
export const NOW = { staleTime: 0, retry: false, networkMode: "always" } as const;

const RETRY_CODES = new Set(["offline", "unavailable"]);

/**
 * Return the store of what the server answered; a refusal is not asked again, a lost connection is.
 *
 * @param onSignedOut - called when the server does not know the session any more.
 */
export function makeQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A change that cannot be sent fails, so that whoever made it is told; it does not wait in silence.
      mutations: { networkMode: "always" },
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        retry: (failureCount, error) => failureCount < 2 && error instanceof ApiError && RETRY_CODES.has(error.slug),
      },
    },
  });
}
