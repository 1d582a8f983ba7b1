import { useQuery } from "@tanstack/react-query";
import { Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import { type AlertRule, type BackTest as Answer, backTestQuery } from "../../api/alerts.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { errorInLine, errorInWords } from "../../api/words.ts";
import { ApiError } from "../../api/errors.ts";
import { placeholderFor } from "../../api/placeholders.ts";
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
import { useDebounced } from "../../ui/useDebounced.ts";
import styles from "./BackTest.module.css";
import { DayStrip, DayStripSkeleton } from "./DayStrip.tsx";
import { firedInWords, hasUnknownEvent, lineOf, marksOf } from "./stripDays.ts";

const SKELETON_HEIGHT = 296;

/** Ask what a rule would have done, once it rests; while only its limit changes, the answer before stays until the next one comes. */
export function useBackTest(latestRule: AlertRule, enabled: boolean) {
  const rule = useDebounced(latestRule);
  const backTestOptions = backTestQuery(rule);
  const result = useQuery({ ...backTestOptions, enabled, placeholderData: placeholderFor(backTestOptions.queryKey) });
  const { data, error, isPending, isFetching, isPlaceholderData: isOutdated, refetch } = result;
  return { rule, answer: enabled && !error ? data : undefined, error, isPending, isFetching, isOutdated, retry: () => void refetch() };
}

interface BackTestProps {
  backTest: ReturnType<typeof useBackTest>;
  /** What is measured, in words. */
  subject: string;
  /** What has to be corrected before anything can be asked; "" if nothing. */
  incompleteReason: string;
  /** The rule is being written, and this follows it. */
  isLive: boolean;
  timezone: string;
  /** Takes a name that was probably meant; absent where the rule cannot be changed. */
  onUseSuggestion?: NoticesProps["onUseSuggestion"];
}

/** What a rule would have done in the past 30 days: its values, its limit, its incidents, and how many on which day. */
export function BackTest({ backTest, subject, incompleteReason, isLive, timezone, onUseSuggestion }: BackTestProps) {
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [isTableView, setIsTableView] = useState(false);
  const { rule, answer, isPending, isFetching, isOutdated } = backTest;
  const isAnswerable = incompleteReason === "";
  const isEventUnknown = answer && hasUnknownEvent(answer);
  const menuItems = [
    { label: isTableView ? "View as chart" : "View as table", icon: Table2, onSelect: () => setIsTableView(!isTableView) },
  ];
  return (
    <>
      <Card
        title={answer && !isEventUnknown && !isOutdated ? firedInWords(answer.fired) : "The past 30 days"}
        note={`last 30 days, ${environmentLabel(environments, rule.environment)}`}
        busy={isAnswerable && isPending}
        isStale={isAnswerable && isFetching && !isPending}
        tools={
          <>
            {isLive ? (
              <span className={styles.live}>
                <Badge tone="accent">as you type</Badge>
              </span>
            ) : null}
            <Menu label="Back-test menu" items={menuItems} />
          </>
        }
      >
        <div className={styles.chart}>
          {!answer ? (
            <Placeholder backTest={backTest} incompleteReason={incompleteReason} />
          ) : isEventUnknown ? (
            <Unseen notices={answer.notices} onUseSuggestion={onUseSuggestion} />
          ) : answer.points.every(({ value }) => value === null) ? (
            <State title="No data in the past 30 days" detail={`No events counted toward ${subject}.`} />
          ) : isTableView ? (
            <ValueTable answer={answer} subject={subject} timezone={timezone} />
          ) : (
            <Chart answer={answer} rule={rule} subject={subject} timezone={timezone} />
          )}
        </div>
        {answer && !isEventUnknown ? <Notices notices={answer.notices} timezone={timezone} onUseSuggestion={onUseSuggestion} /> : null}
      </Card>
      {answer && !isEventUnknown ? <DayStrip answer={answer} timezone={timezone} /> : isAnswerable && isPending ? <DayStripSkeleton /> : null}
    </>
  );
}

/** What stands there while nothing can be shown. */
function Placeholder({ backTest: { error, retry }, incompleteReason }: Pick<BackTestProps, "backTest" | "incompleteReason">) {
  // A field that is wrong is marked in the sentence; trying again would not help.
  const problem = incompleteReason || (error instanceof ApiError && error.status === 400 ? errorInLine(error) : "");
  if (problem) return <State title="The rule is incomplete" detail={problem} />;
  return error ? <ErrorState {...errorInWords(error)} onRetry={retry} /> : <Skeleton height={SKELETON_HEIGHT} />;
}

interface AnswerProps {
  answer: Answer;
  subject: string;
  timezone: string;
}

function Chart({ answer, rule: { condition, threshold = null }, subject, timezone }: AnswerProps & { rule: AlertRule }) {
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

function ValueTable({ answer, subject, timezone }: AnswerProps) {
  const columns = [{ label: "Window end", numeric: false }, { label: subject, numeric: true }];
  return <DataTableView label="Back-test" columns={columns} rows={answer.points.map(({ t, value }) => [bucketLabel(t, "hour", timezone), value])} />;
}
