import { useQuery } from "@tanstack/react-query";
import type { Dashboard } from "../../../api/dashboards.ts";
import type { EventSelection } from "../../../api/events.ts";
import { type GroupKey, groupKeysQuery } from "../../../api/groups.ts";
import { namesQuery } from "../../../api/names.ts";
import { segmentsQuery } from "../../../api/segments.ts";
import { type DataFields, type Spot, type Widget, savedWidgetQuery, widgetQuery } from "../../../api/widgets.ts";
import type { Bucket, Buckets } from "../../../core/buckets.ts";
import { toMilliseconds } from "../../../core/time.ts";
import type { TimeRange } from "../../../core/timeRanges.ts";
import { bucketsRange } from "../../../scope/bucketsRange.ts";
import { propertyKey } from "../../../scope/propertyKey.ts";
import { type Neighbors, neighborsOf } from "./neighbors.ts";
import { type KnownKeys, type Selection, labelSelection, selectionOf } from "./selection.ts";

/** A number of a dashboard, and how it is asked for. */
export interface PointRequest {
  dashboard: Dashboard;
  widget: Widget;
  spot: Spot;
  /** The time range and the filters of the address. */
  dataFields: DataFields;
  /** The time range of the dashboard, which is the address's or the saved one. */
  timeRange: TimeRange;
  timezone: string;
}

/** What the app knows of a number. */
export interface Point extends Neighbors {
  bucket: Bucket | undefined;
  /** Its own time, or the time range of the dashboard. */
  timeRange: TimeRange;
  /** Its events as other pages ask for them; null where filters cannot say them. */
  selection: Selection | null;
  /** The same as the API lists them. */
  events: EventSelection | null;
  /** The filters that select its label, if it has one; null before they are known. */
  labelFilters: Selection["filters"] | null;
  /** The key of the default group; absent in a workspace without. */
  groupKey: GroupKey | undefined;
}

/** Return what is known of a number. */
export function usePoint({ dashboard, widget, spot, dataFields, timeRange, timezone }: PointRequest): Point {
  const { data: answer } = useQuery(widgetQuery(savedWidgetQuery(dashboard, widget, dataFields)));
  const neighbors = neighborsOf(answer, widget, spot, timezone);
  const bucket = neighbors.current?.bucket?.();
  const { keys, groupKey, isReady } = useKnownKeys(dashboard.environment, typeof spot.label === "string" || spot.kind === "other");
  // Only an answer that has the number says what it is: its time, the labels that are not among the rest, the bounds of a bar.
  const isKnown = isReady && (neighbors.current !== undefined || (answer !== undefined && isWhole(spot)));
  const ownSelection = isKnown ? selectionOf(widget, spot, answer, keys) : null;
  const { filters = [] } = dataFields;
  const scopeFilters = widget.ignoreDashboardFilters ? filters : [...dashboard.filters, ...filters];
  const selection = ownSelection && { ...ownSelection, filters: [...scopeFilters, ...ownSelection.filters] };
  const { breakdown } = widget.config as { breakdown?: string | null };
  return {
    ...neighbors,
    bucket,
    timeRange: bucket ? bucketsRange(onlyBucket(bucket), timeRange, timezone, toMilliseconds(answer?.computedAt ?? "")) : timeRange,
    selection,
    events: useEventSelection(dashboard.environment, selection),
    labelFilters: isKnown ? labelSelection(breakdown, spot, answer, keys).filters : null,
    groupKey,
  };
}

const isWhole = (spot: Spot): boolean => Object.keys(spot).length === 0;
const onlyBucket = ({ startMs, interval }: Bucket): Buckets => ({ firstMs: startMs, lastMs: startMs, interval });

/** Return what decides how a filter selects a label; the types of its values only if they are needed. */
function useKnownKeys(environment: string, hasLabel: boolean): { keys: KnownKeys; groupKey: GroupKey | undefined; isReady: boolean } {
  const { data: groupKeys } = useQuery(groupKeysQuery(environment));
  const { data: names, isError } = useQuery({ ...namesQuery(environment), enabled: hasLabel });
  const groupKey = groupKeys?.keys.find(({ isDefault }) => isDefault);
  const typesOf = (key: string) => names?.properties.find((property) => propertyKey(property.key) === key)?.types ?? [];
  return {
    keys: { typesOf, ...(groupKey ? { groupKey: propertyKey(groupKey.propKey) } : {}) },
    groupKey,
    isReady: !hasLabel || names !== undefined || isError,
  };
}

/** Return a selection with the filters of its segment; null before these are known. */
function useEventSelection(environment: string, selection: Selection | null): EventSelection | null {
  const segmentId = selection?.segmentId;
  const { data: segments } = useQuery({ ...segmentsQuery, enabled: segmentId !== undefined });
  if (!selection) return null;
  const segment = segments?.find(({ id }) => id === segmentId);
  if (segmentId !== undefined && !segment) return null;
  const { name, filters } = selection;
  return { environment, ...(name === undefined ? {} : { name }), filters: [...(segment?.filters ?? []), ...filters] };
}
