import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { rankingsQuery } from "../../../api/bots.ts";
import { type Metric, metricInWords } from "../../../core/bots.ts";
import { buttonClass } from "../../../ui/Button/Button.tsx";
import { rankedMetricOf } from "./neighbors.ts";

/** A race of the two best bots, one click away; nothing while the listing has fewer. */
export function FirstPair({ metric }: { metric: Metric }) {
  const rankedMetric = rankedMetricOf(metric);
  const { data: ranking } = useQuery(rankingsQuery(rankedMetric, false, 0, 2));
  const [first, second] = ranking?.data ?? [];
  if (!first || !second) return null;
  return (
    <Link
      to="/bots/compare"
      search={(previous: object) => ({ ...previous, ids: `${first.id},${second.id}` })}
      className={buttonClass("primary")}
      title={`${first.name} and ${second.name}, by ${metricInWords(rankedMetric).toLowerCase()}`}
    >
      1st against 2nd
    </Link>
  );
}
