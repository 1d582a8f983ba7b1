import { useQuery } from "@tanstack/react-query";
import { Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import type { BackTest as Answer, Watched } from "../../api/alerts.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { errorInLine, errorInWords } from "../../api/words.ts";
import { ApiError } from "../../api/errors.ts";
import { DataTableView } from "../../charts/DataTableView.tsx";
import { TimeSeries } from "../../charts/TimeSeries.tsx";
import { formatExact } from "../../core/numbers.ts";
import { bucketLabel } from "../../core/time.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { Notices, type NoticesProps } from "../../ui/Notices/Notices.tsx";
import { Unseen } from "../../ui/Notices/Unseen.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import styles from "./BackTest.module.css";
import { DayStrip } from "./DayStrip.tsx";
import { firedInWords, isUnseen, lineOf, marksOf } from "./stripDays.ts";
import type { useBackTest } from "./useBackTest.ts";

const HEIGHT = 296;

export interface BackTestProps {
  test: ReturnType<typeof useBackTest>;
  /** What is measured, in words. */
  subject: string;
  /** What has to be mended before anything can be asked; "" if nothing. */
  missing: string;
  /** The rule is being written, and this follows it. */
  isLive: boolean;
  timezone: string;
  /** Takes a name that was probably meant; absent where the rule cannot be changed. */
  onTake?: NoticesProps["onTake"];
}

/** What a rule would have done in the past 30 days: its values, its limit, its incidents, and how many on which day. */
export function BackTest({ test, subject, missing, isLive, timezone, onTake }: BackTestProps) {
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [asTable, setAsTable] = useState(false);
  const { rule, answer, isPending, isFetching, isOfBefore } = test;
  const enabled = missing === "";
  const unseen = answer && isUnseen(answer);
  const items = [{ label: asTable ? "View as chart" : "View as table", icon: Table2, onSelect: () => setAsTable(!asTable) }];
  return (
    <>
      <Card
        title={answer && !unseen && !isOfBefore ? firedInWords(answer.fired) : "The past 30 days"}
        note={`last 30 days, ${environmentLabel(environments, rule.environment)}`}
        busy={enabled && isPending}
        stale={enabled && isFetching && !isPending}
        tools={
          <>
            {isLive ? (
              <span className={styles.live}>
                <Badge tone="accent">as you type</Badge>
              </span>
            ) : null}
            <Menu label="Back-test menu" items={items} />
          </>
        }
      >
        <div className={styles.chart}>
          {!answer ? (
            <Instead test={test} missing={missing} />
          ) : unseen ? (
            <Unseen notices={answer.notices} onTake={onTake} />
          ) : answer.points.every(({ value }) => value === null) ? (
            <State title="Nothing to measure in these 30 days" detail={`There is no value of ${subject} in any window: no event has come that counts.`} />
          ) : asTable ? (
            <Values answer={answer} subject={subject} timezone={timezone} />
          ) : (
            <Chart answer={answer} rule={rule} subject={subject} timezone={timezone} />
          )}
        </div>
        {answer && !unseen ? <Notices notices={answer.notices} timezone={timezone} onTake={onTake} /> : null}
      </Card>
      {answer && !unseen ? <DayStrip answer={answer} timezone={timezone} /> : null}
    </>
  );
}

/** What stands there while nothing can be shown. */
function Instead({ test: { error, retry }, missing }: Pick<BackTestProps, "test" | "missing">) {
  // A field that is wrong is marked in the sentence; trying again would not help.
  const wrong = missing || (error instanceof ApiError && error.status === 400 ? errorInLine(error) : "");
  if (wrong) return <State title="The rule is not complete" detail={wrong} />;
  return error ? <ErrorState {...errorInWords(error)} onRetry={retry} /> : <Skeleton height={HEIGHT} />;
}

interface ShownProps {
  answer: Answer;
  subject: string;
  timezone: string;
}

function Chart({ answer, rule: { condition, threshold = null }, subject, timezone }: ShownProps & { rule: Watched }) {
  const line = useMemo(() => lineOf(answer, subject), [answer, subject]);
  const marks = useMemo(() => marksOf(answer, timezone), [answer, timezone]);
  const limit = condition === "above" || condition === "below" ? threshold : null;
  const thresholds = useMemo(() => (limit === null ? [] : [{ value: limit, label: formatExact(limit), kind: "limit" as const }]), [limit]);
  return (
    <TimeSeries
      title="Back-test"
      line={line}
      interval="hour"
      timezone={timezone}
      hasLegend={false}
      axis="zero"
      thresholds={thresholds}
      marks={marks}
    />
  );
}

function Values({ answer, subject, timezone }: ShownProps) {
  const columns = [
    { label: "Window to", numeric: false },
    { label: subject, numeric: true },
  ];
  return <DataTableView label="Back-test" columns={columns} rows={answer.points.map(({ t, value }) => [bucketLabel(t, "hour", timezone), value])} />;
}
