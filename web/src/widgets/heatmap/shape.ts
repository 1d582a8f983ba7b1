import { DAYS, hourName } from "../../core/time.ts";
import type { Answers, DataTable } from "../definition.ts";

/** Return the greatest count of an hour. */
export const maxCountOf = ({ cells }: Answers["heatmap"]): number => Math.max(0, ...cells.flat().map((count) => count ?? 0));

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
