import { useMemo, type ReactNode } from "react";
import type { components } from "../api/schema.gen.ts";
import { BigNumber } from "../charts/BigNumber.tsx";
import { RankBars } from "../charts/RankBars.tsx";
import { TimeSeries } from "../charts/TimeSeries.tsx";
import type { BucketSpan } from "../charts/useBrush.ts";
import { changeOf } from "../core/changes.ts";
import { goalProgressOf } from "../core/goals.ts";
import { formatAlone } from "../core/numbers.ts";
import { toMilliseconds } from "../core/time.ts";
import { isSameSpot } from "../scope/spotAddress.ts";
import { useDashboardContext } from "./DashboardContext.ts";
import type { Answers } from "./definition.ts";
import { bigNumber, formatOf } from "./format.ts";
import type { MetricDisplay } from "./labelColors.ts";
import { marksOf, spotLinesOf, ranksOf, spotOf, timeLineOf, type Subject } from "./metricShapes.ts";
import { comparedInWords } from "./words.ts";

type Schemas = components["schemas"];

export interface MetricViewProps {
  title: string;
  answer: Answers["metric"];
  subject: Subject;
  display: MetricDisplay;
  compare: Schemas["MetricConfig"]["compare"];
}

/** An answer of a metric or a formula in its shape: a number, a time line or a ranked list. */
export function MetricView(props: MetricViewProps): ReactNode {
  const { answer } = props;
  switch (answer.kind) {
    case "counter":
      return <Counter {...props} answer={answer} />;
    case "categorical":
      return <Ranked {...props} answer={answer} />;
    case "timeseries":
    case "multiseries":
      return <OverTime {...props} answer={answer} />;
  }
}

function Counter({ answer, display }: MetricViewProps & { answer: Schemas["Counter"] }): ReactNode {
  const { onSpot, openSpot } = useDashboardContext();
  const { value, previous } = answer;
  const goal = display?.goal ?? null;
  return (
    <BigNumber
      {...bigNumber(value, display)}
      unit={display?.unit}
      previous={previous === null ? null : bigNumber(previous, display).value}
      change={changeOf(value, previous)}
      good={display?.good}
      goal={goal === null || value === null ? null : goalProgressOf(value, goal, display?.good)}
      onClick={onSpot && (() => onSpot({}))}
      isOpen={openSpot !== undefined}
    />
  );
}

function Ranked({ title, answer, subject, display }: MetricViewProps & { answer: Schemas["Categorical"] }): ReactNode {
  const { onSpot, openSpot } = useDashboardContext();
  const showActors = onSpot && ((position: number) => {
    const row = answer.rows[position];
    if (row) onSpot(spotOf(row));
  });
  const openRow = openSpot && answer.rows.findIndex((row) => isSameSpot(spotOf(row), openSpot));
  return <RankBars title={title} rows={ranksOf(answer, subject, formatOf(display))} onRow={showActors} openRow={openRow} />;
}

function OverTime({ title, answer, subject, display, compare }: MetricViewProps & { answer: Schemas["Timeseries"] | Schemas["Multiseries"] }): ReactNode {
  const { timezone, annotations, onSpot, openSpot, onAnnotate, onBuckets } = useDashboardContext();
  const { name } = subject;
  const line = useMemo(() => timeLineOf(answer, name, display), [answer, name, display]);
  const marks = useMemo(() => marksOf(annotations), [annotations]);
  const goal = display?.goal ?? null;
  const thresholds = useMemo(() => (goal === null ? [] : [{ value: goal, label: `Goal ${formatAlone(goal)}`, kind: "goal" as const }]), [goal]);
  const showActors = onSpot && ((bucket: number, series: number | null) => {
    const point = spotLinesOf(answer, timezone)[series ?? 0]?.[bucket];
    if (point) onSpot(point.spot);
  });
  const selectBuckets = onBuckets && (([first, last]: BucketSpan) => {
    const [firstMs, lastMs] = [line.times[first], line.times[last]];
    if (firstMs !== undefined && lastMs !== undefined) onBuckets({ firstMs, lastMs, interval: answer.interval });
  });
  const openBucket = openSpot?.t === undefined ? -1 : line.times.indexOf(toMilliseconds(openSpot.t));
  const { chart } = display ?? {};
  return (
    <TimeSeries
      title={title}
      line={line}
      interval={answer.interval}
      timezone={timezone}
      shape={chart === "bar" || chart === "area" ? chart : "line"}
      isStacked={display?.stack ?? true}
      axis={display?.axis ?? null}
      hasLegend={display?.legend ?? true}
      format={formatOf(display)}
      good={display?.good}
      comparedName={compare ? comparedInWords(compare) : "Previous"}
      thresholds={thresholds}
      marks={marks}
      onPoint={showActors}
      openBucket={openBucket < 0 ? undefined : openBucket}
      onSelect={selectBuckets}
      onAnnotate={onAnnotate && ((time) => onAnnotate(new Date(time).toISOString()))}
    />
  );
}
