import { HistogramBars } from "../../charts/HistogramBars.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { rulesOf } from "./shape.ts";

/** How the numbers of a property are distributed. */
export function View({ title, config, answer }: ViewProps<"histogram">) {
  const { onSpot, openSpot } = useDashboardContext();
  const showActors = onSpot && ((bucket: number) => onSpot({ bucket }));
  return (
    <HistogramBars
      title={title}
      buckets={answer.buckets}
      unit={config.display?.unit}
      rules={rulesOf(answer, config.display?.unit)}
      onBucket={showActors}
      openBucket={openSpot?.bucket}
    />
  );
}
