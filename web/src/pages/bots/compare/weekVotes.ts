import type { Histories } from "../../../api/botShapes.ts";

const WEEK_MS = 7 * 86_400_000;

/** The votes of the last seven days, and of the seven before; null where the history is too short, or was corrected. */
export interface WeekVotes {
  count: number | null;
  previousCount: number | null;
}

/** Return the votes of a bot by the week, from its total votes. */
export function weekVotesOf(histories: Histories, id: string): WeekVotes {
  const points = histories.get(id) ?? [];
  const lastTime = points.at(-1)?.time ?? 0;
  const valueByTime = new Map(points.map(({ time, value }) => [time, value]));
  const [now, weekAgo, twoWeeksAgo] = [0, 1, 2].map((weeks) => valueByTime.get(lastTime - weeks * WEEK_MS));
  return { count: gain(now, weekAgo), previousCount: gain(weekAgo, twoWeeksAgo) };
}

/** A total that fell was corrected: what came meanwhile is not known. */
function gain(total: number | undefined, earlierTotal: number | undefined): number | null {
  return total === undefined || earlierTotal === undefined || total < earlierTotal ? null : total - earlierTotal;
}
