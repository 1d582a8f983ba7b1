import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Annotation } from "../../api/annotations.ts";
import type { components } from "../../api/schema.gen.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { type Question, questionQuery } from "../../api/widgets.ts";
import { errorInWords } from "../../api/words.ts";
import { type TimeLine, isWindowOver, partialBucketsOf } from "../../charts/series.ts";
import { TimeSeries } from "../../charts/TimeSeries.tsx";
import type { TimeRange } from "../../core/timeRanges.ts";
import { toMilliseconds } from "../../core/time.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { marksOf } from "../../widgets/metricShapes.ts";
import styles from "./TimeLineCard.module.css";

type Answer = components["schemas"]["Timeseries"];

export interface TimeLineCardProps {
  environment: string;
  timeRange: TimeRange;
  annotations: readonly Annotation[];
  timezone: string;
  /** Mark a moment (RFC 3339); absent for those who may not. */
  onAnnotate: ((time: string) => void) | undefined;
}

const TITLE = "All events";

/** The time line itself: how many events came when, and what happened. */
export function TimeLineCard({ environment, timeRange, ...chartProps }: TimeLineCardProps) {
  const config = { events: "all" as const, measure: "count" as const, overTime: true };
  const question: Question = { environment, type: "metric", ...timeRange, config };
  const query = questionQuery(question);
  const { data, error, refetch, isPending, isFetching } = useQuery({ ...query, placeholderData: placeholderFor(query.queryKey) });
  const answer = data?.kind === "timeseries" ? data : null;
  return (
    <Card
      title={TITLE}
      note={answer ? `per ${answer.interval}, with annotations` : undefined}
      busy={isPending}
      isStale={isFetching && !isPending}
    >
      <div className={styles.body}>
        {error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : answer ? (
          <>
            <Notices notices={answer.notices} timezone={chartProps.timezone} />
            <Chart answer={answer} {...chartProps} />
          </>
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
    </Card>
  );
}

function Chart({ answer, annotations, timezone, onAnnotate }: Omit<TimeLineCardProps, "environment" | "timeRange"> & { answer: Answer }) {
  const line = useMemo(() => lineOf(answer), [answer]);
  const marks = useMemo(() => marksOf(annotations), [annotations]);
  return (
    <TimeSeries
      title={TITLE}
      line={line}
      interval={answer.interval}
      timezone={timezone}
      hasLegend={false}
      marks={marks}
      onAnnotate={onAnnotate && ((time) => onAnnotate(new Date(time).toISOString()))}
    />
  );
}

function lineOf({ points }: Answer): TimeLine {
  const values = points.map(({ value }) => value);
  return {
    times: points.map(({ t }) => toMilliseconds(t)),
    series: [{ name: "Events", values, total: null, color: "rest" }],
    partialBuckets: partialBucketsOf(points),
    isOver: isWindowOver(points),
  };
}
