import { HeatGrid } from "../../charts/HeatGrid.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";

/** At which hours of the week events come. */
export function View({ title, answer }: ViewProps<"heatmap">) {
  const { onSpot, openSpot } = useDashboardContext();
  const showActors = onSpot && ((day: number, hour: number) => onSpot({ cell: [day, hour] }));
  return <HeatGrid title={title} cells={answer.cells} onCell={showActors} openCell={openSpot?.cell} />;
}
