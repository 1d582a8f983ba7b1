import { DataTableView } from "../../charts/DataTableView.tsx";
import type { TimeLine } from "../../charts/series.ts";
import { bucketLabel } from "../../core/time.ts";

export interface HistoryTableProps {
  label: string;
  line: TimeLine;
  interval: "hour" | "day";
}

/** The values of a history as a table. */
export function HistoryTable({ label, line: { times, series }, interval }: HistoryTableProps) {
  return (
    <DataTableView
      label={label}
      columns={[{ label: interval === "hour" ? "Hour, UTC" : "Day", numeric: false }, ...series.map(({ name }) => ({ label: name, numeric: true }))]}
      rows={times.map((time, index) => [bucketLabel(time, interval, "UTC"), ...series.map(({ values }) => values[index] ?? null)])}
    />
  );
}
