import { formatExact } from "../../core/numbers.ts";
import { DAYS, hourName, weekHourName } from "../../core/time.ts";
import type { Answers, DataTable, SpotLine } from "../definition.ts";

/** Return the greatest count of an hour. */
export const maxCountOf = ({ cells }: Answers["heatmap"]): number => Math.max(0, ...cells.flat().map((count) => count ?? 0));

/** Return the hours of each day. */
export const spotsOf = ({ cells }: Answers["heatmap"]): SpotLine[] =>
  cells.map((row, day) =>
    row.map((count, hour) => ({ spot: { cell: [day, hour] }, value: count, inWords: () => weekHourName(day, hour), format: formatExact })),
  );

/** Return the hours of the week as a table. */
export function tableOf({ cells }: Answers["heatmap"]): DataTable {
  return {
    columns: [
      { label: "Day", numeric: false },
      ...Array.from({ length: 24 }, (_, hour) => ({ label: hourName(hour), numeric: true })),
    ],
    rows: cells.map((row, day) => [DAYS[day] ?? "", ...row]),
  };
}
