import { type CSSProperties, useCallback, useId, useMemo } from "react";
import { Axes } from "../../../charts/Axes.tsx";
import { Cursor } from "../../../charts/Cursor.tsx";
import { seriesColor } from "../../../charts/colors.ts";
import { Legend } from "../../../charts/Legend.tsx";
import { plotOf } from "../../../charts/plot.ts";
import { SeriesMarks } from "../../../charts/SeriesMarks.tsx";
import type { TimeLine } from "../../../charts/series.ts";
import { summaryOf } from "../../../charts/summary.ts";
import { useSize } from "../../../charts/useSize.ts";
import { formatExact } from "../../../core/numbers.ts";
import { bucketName } from "../../../core/time.ts";
import { Hidden } from "../../../ui/Hidden/Hidden.tsx";
import { labelsWidthOf } from "./labelsWidth.ts";
import styles from "./RaceChart.module.css";
import { type CrossingFlag, RaceFlags } from "./RaceFlags.tsx";
import { RaceLabels } from "./RaceLabels.tsx";
import { type Sign, formatSignedAs, signTick } from "./signedNumbers.ts";

export interface RaceChartProps {
  /** What assistive technology calls it. */
  title: string;
  /** The `total` of each series is its last counter. */
  line: TimeLine;
  sign: Sign;
  interval: "hour" | "day";
  /** Where one passed another. */
  flags: readonly CrossingFlag[];
}

const NO_HIDDEN: ReadonlySet<number> = new Set();
/** Room for a sign and a unit, in pixels. */
const SIGN_WIDTHS: Record<Sign, number> = { none: 0, difference: 8, percent: 22 };

/** Lines with their names and values at their ends, and marks where they cross. */
export function RaceChart({ title, line, sign, interval, flags }: RaceChartProps) {
  const [plotRef, size] = useSize<HTMLDivElement>();
  const summaryId = useId();
  const plot = useMemo(() => {
    if (!size) return null;
    const plain = plotOf(line, { shape: "line", isStacked: false, axis: null, zone: "UTC", reachedValues: [] }, size.width, size.height);
    const valueLabels = plain.valueLabels.map((label) => ({ ...label, label: signTick(sign, label.label) }));
    return { ...plain, valueLabels, gutter: plain.gutter + SIGN_WIDTHS[sign] };
  }, [line, sign, size]);
  const nameOfTime = useCallback((time: number): string => bucketName(time, interval, "UTC"), [interval]);
  const format = useCallback((value: number | null): string => formatSignedAs(sign, value), [sign]);
  const endTexts = line.series.map(({ values }) => format(values.at(-1) ?? null));
  const labels = line.series.map(({ name, total }, index) => ({
    name,
    value: endTexts[index] ?? "",
    detail: sign === "none" ? "" : formatExact(total),
  }));
  const labelsWidth = labelsWidthOf(labels);
  const summary = sign === "none" ? summaryOf(line, nameOfTime) : line.series.map(({ name }, index) => `${name} ${endTexts[index]}.`).join(" ");
  return (
    <div className={styles.chart}>
      <div className={styles.legend}>
        <Legend
          entries={line.series.map(({ name, color }, index) => ({ name, color: seriesColor(color), value: endTexts[index] ?? "" }))}
          hiddenPositions={NO_HIDDEN}
        />
      </div>
      <div className={styles.plot} style={{ marginLeft: plot?.gutter ?? 34, "--labels": `${labelsWidth}px` } as CSSProperties} ref={plotRef}>
        {plot ? (
          <>
            <Axes plot={plot} />
            {sign === "none" ? null : <i className={styles.zero} style={{ top: plot.y(0) }} />}
            <RaceFlags plot={plot} flags={flags} />
            <SeriesMarks plot={plot} line={line} shape="line" seriesCount={line.series.length} />
            <RaceLabels
              plot={plot}
              width={labelsWidth}
              labels={labels.map((label, index) => ({ ...label, y: plot.y(line.series[index]?.values.at(-1) ?? 0) }))}
            />
            <Cursor
              plot={plot}
              line={line}
              positions={[...line.series.keys()]}
              label={title}
              describedBy={summaryId}
              format={format}
              nameOfTime={nameOfTime}
            />
          </>
        ) : null}
      </div>
      <div id={summaryId}>
        <Hidden>{[summary, ...flags.map(({ label }) => `${label}.`)].join(" ")}</Hidden>
      </div>
    </div>
  );
}
