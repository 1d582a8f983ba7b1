import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { TimeLine } from "../../../charts/series.ts";
import type { Metric, TimeFrame } from "../../../core/bots.ts";
import { type ColoredBot, historyLineOf } from "../historyLines.ts";
import { keptHistoriesQuery } from "./keptHistories.ts";
import { type Crossing, type Gap, type Growth, type RaceLine, crossingsOf, gapOf, growthOf } from "./race.ts";

/** Bots at the moments that they share, seen in each way. */
export interface Race {
  line: TimeLine;
  values: readonly RaceLine[];
  growth: Growth;
  gap: Gap;
  crossings: readonly Crossing[];
}

export interface RaceResult {
  /** Undefined while it is on its way. */
  race: Race | undefined;
  error: Error | null;
  retry: () => void;
  /** What is shown is of another time frame, or without the bot that was just added. */
  isStale: boolean;
}

/** Ask for a counter of some bots over time. */
export function useRace(bots: readonly ColoredBot[] | undefined, metric: Metric, timeFrame: TimeFrame): RaceResult {
  const botIds = bots?.map(({ id }) => id) ?? [];
  const { data, error, refetch, isPlaceholderData } = useQuery(keptHistoriesQuery(botIds, metric, timeFrame));
  // What is left of another time frame keeps its own span until the answer comes.
  const spanFrame = isPlaceholderData ? "alltime" : timeFrame;
  const race = useMemo(() => data && bots && raceOf(historyLineOf(data, bots, spanFrame)), [data, bots, spanFrame]);
  return { race, error: data ? null : error, retry: () => void refetch(), isStale: isPlaceholderData };
}

function raceOf(line: TimeLine): Race {
  const values = line.series.map((series) => series.values);
  return { line, values, growth: growthOf(values), gap: gapOf(values), crossings: crossingsOf(values) };
}
