import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { questionQuery } from "../../api/widgets.ts";
import { Sparkline } from "../../charts/Sparkline.tsx";
import { partialBucketsOf } from "../../charts/series.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import type { Configs } from "../../widgets/definition.ts";

/** Events that have a picture: the most frequent ones. */
const PICTURED_EVENTS = 25;

/**
 * Draw how often the most frequent events came within a time range, by their names.
 *
 * @param isWanted - nobody pays for them before they may be seen.
 */
export function useEventPictures(environment: string, timeRange: TimeRange, isWanted: boolean): ReadonlyMap<string, ReactNode> | undefined {
  const config: Configs["metric"] = { events: "all", measure: "count", breakdown: "name", overTime: true, limit: PICTURED_EVENTS };
  const { data } = useQuery({ ...questionQuery({ environment, type: "metric", config, ...timeRange }), enabled: isWanted });
  return useMemo(() => {
    if (data?.kind !== "multiseries") return undefined;
    return new Map(
      data.series.map(({ label, points }) => [
        label ?? "",
        <Sparkline key={label} values={points.map(({ value }) => value)} partialBuckets={partialBucketsOf(points)} />,
      ]),
    );
  }, [data]);
}
