import type { QueryKey } from "@tanstack/react-query";
import { historiesQuery } from "../../../api/bots.ts";
import type { Histories } from "../../../api/botShapes.ts";
import type { Metric, TimeFrame } from "../../../core/bots.ts";

/** Histories of which those that are known stay while a bot comes or goes, or the time frame changes. */
export const keptHistoriesQuery = (botIds: readonly string[], metric: Metric, timeFrame: TimeFrame) => ({
  ...historiesQuery(botIds, metric, timeFrame),
  // They are by id, so that none is shown under the name of another bot.
  placeholderData: (previousData: Histories | undefined, previousQuery: { queryKey: QueryKey } | undefined) =>
    previousQuery && metricIn(previousQuery.queryKey) === metric ? previousData : undefined,
});

const metricIn = (queryKey: QueryKey): unknown => (queryKey[1] as { metric?: unknown }).metric;
