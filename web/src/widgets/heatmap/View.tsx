import type { ReactNode } from "react";
import { HeatGrid } from "../../charts/HeatGrid.tsx";
import type { ViewProps } from "../definition.ts";
import { hourInWords } from "./shape.ts";

/** At which hours of the week events come. */
export function View({ title, answer, onSpot }: ViewProps<"heatmap">): ReactNode {
  const ask = onSpot && ((day: number, hour: number) => onSpot({ cell: [day, hour] }, hourInWords(day, hour)));
  return <HeatGrid title={title} cells={answer.cells} onCell={ask} />;
}
