import { DAYS } from "../../core/time.ts";
import type { Answers, DataTable } from "../definition.ts";

const HOURS = 24;

/** Name an hour of the week: "Mon 18:00". */
export function hourInWords(day: number, hour: number): string {
  return `${DAYS[day] ?? ""} ${String(hour).padStart(2, "0")}:00`;
}

/** Return the greatest count of an hour. */
export const maxCountOf = ({ cells }: Answers["heatmap"]): number => Math.max(0, ...cells.flat());

/** Return the hours of the week as a table. */
export function tableOf({ cells }: Answers["heatmap"]): DataTable {
  return {
    columns: [
      { label: "Day", numeric: false },
      ...Array.from({ length: HOURS }, (_, hour) => ({ label: `${String(hour).padStart(2, "0")}:00`, numeric: true })),
    ],
    rows: cells.map((row, day) => [DAYS[day] ?? "", ...row]),
  };
}
