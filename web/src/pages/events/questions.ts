import type { EventSelection } from "../../api/events.ts";
import type { Question } from "../../api/widgets.ts";
import type { Span } from "../../core/spans.ts";
import { MOST_NAMES } from "./histogram.ts";

/** Return whether a selection leaves anything out. */
export const isNarrowed = ({ name, actor, filters }: EventSelection): boolean =>
  name !== undefined || actor !== undefined || filters.length > 0;

/** Return the question how many events there are. */
export function countQuestion(selection: EventSelection, span: Span): Question {
  return { environment: selection.environment, type: "metric", ...span, config: { ...selected(selection), compare: false } };
}

/** Return the question how many events came when, by their names. */
export function histogramQuestion(selection: EventSelection, span: Span): Question {
  const hourly = "timeRange" in span && (span.timeRange === "24h" || span.timeRange === "7d");
  const config = { ...selected(selection), breakdown: "name", overTime: true, limit: MOST_NAMES, rest: "other" as const };
  return { environment: selection.environment, type: "metric", ...span, config, ...(hourly ? { interval: "hour" as const } : {}) };
}

function selected({ name, actor, filters }: EventSelection) {
  const byActor = actor === undefined ? [] : [{ key: "_actor", op: "eq" as const, value: actor }];
  return {
    ...(name === undefined ? { events: "all" as const } : { event: name }),
    measure: "count" as const,
    filters: [...filters, ...byActor],
  };
}
