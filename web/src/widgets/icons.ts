import {
  ChartColumn, ChartLine, Grid3x3, Hash, LayoutGrid, ListFilter, type LucideIcon, Plug, Sigma, StickyNote, Table2,
} from "lucide-react";
import type { Kind } from "./definition.ts";

/** The icon of each kind, where kinds are chosen; a dashboard shows none. */
export const KIND_ICONS: Record<Kind, LucideIcon> = {
  metric: ChartLine,
  kpi: Hash,
  formula: Sigma,
  funnel: ListFilter,
  retention: Grid3x3,
  histogram: ChartColumn,
  heatmap: LayoutGrid,
  table: Table2,
  note: StickyNote,
  external: Plug,
};
