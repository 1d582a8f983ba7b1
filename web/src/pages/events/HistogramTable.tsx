import { formatExact } from "../../core/numbers.ts";
import { bucketLabel } from "../../core/time.ts";
import { Table } from "../../ui/Table/Table.tsx";
import styles from "./Histogram.module.css";
import type { Histogram } from "./histogramBars.ts";

/** The bars as rows, newest first. */
export function HistogramTable({ histogram, timezone }: { histogram: Histogram; timezone: string }) {
  const { bars, names, interval } = histogram;
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable
    <div className={styles.table} role="group" aria-label="Events over time, as a table" tabIndex={0}>
      <Table
        label={`Events per ${interval}`}
        bare
        dense
        rows={bars.toReversed()}
        rowKey={({ from }) => String(from)}
        columns={[
          { key: "time", label: "Time", render: ({ from }) => bucketLabel(from, interval, timezone) },
          ...names.map(({ name }, index) => ({
            key: name,
            label: name,
            align: "end" as const,
            hideBelow: 900 as const,
            render: ({ counts }: (typeof bars)[number]) => formatExact(counts[index] ?? 0),
          })),
          { key: "total", label: "All", align: "end", render: ({ total }) => formatExact(total) },
        ]}
      />
    </div>
  );
}
