import { useQueries } from "@tanstack/react-query";
import { questionQuery } from "../api/widgets.ts";
import { useMatches } from "../ui/useMatches.ts";
import { type Trend, type TrendedEvents, trendQuestions, trendsOf } from "./trends.ts";

/** Narrower windows have no column for it. */
const HAS_TREND_COLUMN = "(min-width: 1200px)";

/** Return the trends of the rows that are known, by id; none, and no request, where the window has no room for them. */
export function useTrends(events: TrendedEvents, ids: readonly string[]): ReadonlyMap<string, Trend> {
  const isWide = useMatches(HAS_TREND_COLUMN);
  return useQueries({
    queries: trendQuestions(events, isWide ? ids : []).map(questionQuery),
    combine: (results) => trendsOf(results.map(({ data }) => data)),
  });
}
