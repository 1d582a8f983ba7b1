import { useQuery } from "@tanstack/react-query";
import { type AlertRule, backTestQuery } from "../../api/alerts.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { useDebounced } from "../../ui/useDebounced.ts";

/** Ask what a rule would have done, once it rests; while only its limit changes, the answer before stays until the next one comes. */
export function useBackTest(latestRule: AlertRule, enabled: boolean) {
  const rule = useDebounced(latestRule);
  const backTestOptions = backTestQuery(rule);
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({ ...backTestOptions, enabled, placeholderData: placeholderFor(backTestOptions.queryKey) });
  return { rule, answer: enabled && !error ? data : undefined, error, isPending, isFetching, isOutdated: isPlaceholderData, retry: () => void refetch() };
}
