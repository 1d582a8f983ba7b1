import { type Values, partialBucketsOf } from "../../charts/series.ts";
import { type Change, changeOf } from "../../core/changes.ts";
import { type GoalProgress, goalProgressOf } from "../../core/goals.ts";
import { isIdMeasure } from "../../core/ids.ts";
import type { Answers, Configs, DataTable, SpotLine } from "../definition.ts";
import { bigNumber, formatOf } from "../format.ts";
import { GOAL_HEIGHT } from "../outline.ts";

type Config = Configs["kpi"];

/** A number of the strip. */
interface Cell {
  label: string;
  value: string;
  fullValue: string | undefined;
  previous: string | null;
  change: Change | null;
  good: "up" | "down" | "none" | null;
  goal: GoalProgress | null;
  /** How it went, bucket by bucket; null without sparklines. */
  sparkline: { values: Values; partialBuckets: ReadonlySet<number> } | null;
}

/** Return the cells of a strip; what is good is said by each item, or by the display for all. */
export function cellsOf({ items }: Answers["kpi"], config: Config): Cell[] {
  return items.map(({ label, value, previous, points }, index) => {
    const good = config.items[index]?.good ?? config.display?.good ?? null;
    const goal = config.items[index]?.goal ?? null;
    return {
      label,
      ...bigNumber(value, config.display),
      previous: previous === null ? null : bigNumber(previous, config.display).value,
      change: changeOf(value, previous),
      good,
      goal: value === null || goal === null ? null : goalProgressOf(value, goal, good),
      sparkline: points ? { values: points.map((point) => point.value), partialBuckets: partialBucketsOf(points) } : null,
    };
  });
}

const ROW_HEIGHT = 77;
const FRAME_HEIGHT = 58;
const CELL_HEIGHT = 96;

/** Return how many of the cells stand side by side, so that all are within a card so many rows of the grid high: in even rows if one more makes them so. */
export function cellsPerRow(cellCount: number, rowCount: number, hasGoals: boolean): number {
  const cellHeight = CELL_HEIGHT + (hasGoals ? GOAL_HEIGHT : 0);
  const perRow = Math.ceil(cellCount / Math.max(1, Math.floor((rowCount * ROW_HEIGHT - FRAME_HEIGHT) / cellHeight)));
  return cellCount % perRow > 0 && cellCount % (perRow + 1) === 0 ? perRow + 1 : perRow;
}

/** Return the numbers of a strip. */
export function spotsOf({ items }: Answers["kpi"], { display }: Config): SpotLine[] {
  const format = formatOf(display);
  return [items.map(({ label, value }, item) => ({ spot: { item }, value, inWords: () => label, format }))];
}

/** Return the numbers as a table. */
export function tableOf({ items }: Answers["kpi"], config: Config): DataTable {
  return {
    columns: [
      { label: "Number", numeric: false },
      { label: "Previous", numeric: true },
      { label: "Value", numeric: true },
    ],
    rows: items.map(({ label, value, previous }) => [label, previous, value]),
    isIdCell: config.items.some(isIdMeasure) ? (row) => isIdMeasure(config.items[row] ?? {}) : undefined,
  };
}
