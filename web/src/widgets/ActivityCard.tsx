import { useQuery } from "@tanstack/react-query";
import { Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import type { components } from "../api/schema.gen.ts";
import { placeholderFor } from "../api/placeholders.ts";
import { type Question, questionQuery } from "../api/widgets.ts";
import { errorInWords } from "../api/words.ts";
import { DataTableView } from "../charts/DataTableView.tsx";
import { type TimeLine, isWindowOver, partialBucketsOf } from "../charts/series.ts";
import { TimeSeries } from "../charts/TimeSeries.tsx";
import { bucketLabel, toMilliseconds } from "../core/time.ts";
import { Card } from "../ui/Card/Card.tsx";
import { Menu } from "../ui/Menu/Menu.tsx";
import { ErrorState } from "../ui/States/ErrorState.tsx";
import { Skeleton } from "../ui/Skeleton/Skeleton.tsx";
import styles from "./ActivityCard.module.css";

type Answer = components["schemas"]["Timeseries"];

export interface ActivityCardProps {
  title: string;
  /** A metric over time without a breakdown. */
  question: Question;
  timezone: string;
}

/** How much happened when: bars in a card of their own. */
export function ActivityCard({ title, question, timezone }: ActivityCardProps) {
  const query = questionQuery(question);
  const { data, error, refetch, isFetching } = useQuery({ ...query, placeholderData: placeholderFor(query.queryKey) });
  const [asTable, setAsTable] = useState(false);
  const answer = data?.kind === "timeseries" ? data : null;
  const menuItems = [{ label: asTable ? "View as chart" : "View as table", icon: Table2, onSelect: () => setAsTable(!asTable) }];
  return (
    <Card
      title={title}
      note={answer ? `events per ${answer.interval}` : undefined}
      busy={isFetching && data !== undefined}
      tools={<Menu label={`${title} menu`} items={menuItems} />}
    >
      <div className={styles.body}>
        {error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : !answer ? (
          <Skeleton height={180} />
        ) : asTable ? (
          <DataTableView
            label={title}
            columns={[
              { label: "Time", numeric: false },
              { label: "Events", numeric: true },
            ]}
            rows={answer.points.map(({ t, value }) => [bucketLabel(t, answer.interval, timezone), value])}
          />
        ) : (
          <Chart title={title} answer={answer} timezone={timezone} />
        )}
      </div>
    </Card>
  );
}

function Chart({ title, answer, timezone }: Omit<ActivityCardProps, "question"> & { answer: Answer }) {
  const line = useMemo(() => lineOf(answer), [answer]);
  return <TimeSeries title={title} line={line} interval={answer.interval} timezone={timezone} shape="bar" hasLegend={false} />;
}

function lineOf({ points, total = null }: Answer): TimeLine {
  return {
    times: points.map(({ t }) => toMilliseconds(t)),
    series: [{ name: "Events", values: points.map(({ value }) => value), total }],
    partialBuckets: partialBucketsOf(points),
    isOver: isWindowOver(points),
  };
}
