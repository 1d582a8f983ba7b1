import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Watched, backTestQuery } from "../../api/alerts.ts";
import { useRested } from "../../ui/useRested.ts";

/** Ask what a rule would have done, once it rests; the answer before stays until the next one comes. */
export function useBackTest(watched: Watched, enabled: boolean) {
  const asked = useRested(watched);
  const { data, error, isPending, isFetching, refetch } = useQuery({ ...backTestQuery(asked), enabled, placeholderData: keepPreviousData });
  return { asked, answer: enabled && !error ? data : undefined, error, isPending, isFetching, retry: () => void refetch() };
}
