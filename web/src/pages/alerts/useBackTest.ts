import { useQuery } from "@tanstack/react-query";
import { type Watched, backTestQuery } from "../../api/alerts.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { useDebounced } from "../../ui/useDebounced.ts";

/** Ask what a rule would have done, once it rests; while only its limit changes, the answer before stays until the next one comes. */
export function useBackTest(latestRule: Watched, enabled: boolean) {
  const rule = useDebounced(latestRule);
  const question = backTestQuery(rule);
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({ ...question, enabled, placeholderData: placeholderFor(question.queryKey) });
  return { rule, answer: enabled && !error ? data : undefined, error, isPending, isFetching, isOfBefore: isPlaceholderData, retry: () => void refetch() };
}
