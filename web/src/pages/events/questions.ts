import type { EventSelection } from "../../api/events.ts";
import type { Question } from "../../api/widgets.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { MAX_NAMES } from "./histogramBars.ts";

/** Return whether a selection leaves anything out. */
export const isNarrowed = ({ name, actor, filters }: EventSelection): boolean =>
  name !== undefined || actor !== undefined || filters.length > 0;

/** Return the question how many events there are. */
export function countQuestion(selection: EventSelection, timeRange: TimeRange): Question {
  return { environment: selection.environment, type: "metric", ...timeRange, config: { ...selectionConfig(selection), compare: false } };
}

/** Return the question how many events came when, by their names. */
export function histogramQuestion(selection: EventSelection, timeRange: TimeRange): Question {
  const isHourly = "timeRange" in timeRange && (timeRange.timeRange === "24h" || timeRange.timeRange === "7d");
  const config = { ...selectionConfig(selection), breakdown: "name", overTime: true, limit: MAX_NAMES, rest: "other" as const };
  return { environment: selection.environment, type: "metric", ...timeRange, config, ...(isHourly ? { interval: "hour" as const } : {}) };
}

function selectionConfig({ name, actor, filters }: EventSelection) {
  const actorFilters = actor === undefined ? [] : [{ key: "_actor", op: "eq" as const, value: actor }];
  return {
    ...(name === undefined ? { events: "all" as const } : { event: name }),
    measure: "count" as const,
    filters: [...filters, ...actorFilters],
  };
}
