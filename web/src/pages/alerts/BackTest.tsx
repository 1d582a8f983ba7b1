import { useQuery } from "@tanstack/react-query";
import { Table2 } from "lucide-react";
import { useState } from "react";
import type { BackTest as Answer } from "../../api/alerts.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { errorInLine, errorInWords } from "../../api/words.ts";
import { ApiError } from "../../api/errors.ts";
import { DataTableView } from "../../charts/DataTableView.tsx";
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
import { BackTestChart } from "./BackTestChart.tsx";
import { DayStrip, DayStripSkeleton } from "./DayStrip.tsx";
import { type Extreme, extremeValueOf } from "./hours.ts";
import { isLimitCondition } from "./recount.ts";
import { firedInWords, hasUnknownEvent } from "./stripDays.ts";
import type { Trial } from "./useBackTest.ts";

const SKELETON_HEIGHT = 296;

interface BackTestProps {
  trial: Trial;
  /** What is measured, in words. */
  subject: string;
  /** What has to be corrected before anything can be asked; "" if nothing. */
  incompleteReason: string;
  timezone: string;
  /** Takes the limit that a handle is moved to; absent where the rule cannot be changed. */
  onLimit?: (limit: number) => void;
  /** Takes a name that was probably meant; absent where the rule cannot be changed. */
  onUseSuggestion?: NoticesProps["onUseSuggestion"];
}

/** What a rule would have done in the past 30 days: its values, its limit, its incidents, and how many on which day. */
export function BackTest({ trial, subject, incompleteReason, timezone, onLimit, onUseSuggestion }: BackTestProps) {
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [isTableView, setIsTableView] = useState(false);
  const { rule, answer, extreme, lacksLimit, isPending, isFetching, isOutdated } = trial;
  const isAnswerable = incompleteReason === "";
  const isEventUnknown = answer && hasUnknownEvent(answer);
  const peakText = answer && !lacksLimit && !isOutdated && answer.fired === 0 && extreme && isLimitCondition(rule.condition) ? peakInWords(answer, extreme) : "";
  const menuItems = [
    { label: isTableView ? "View as chart" : "View as table", icon: Table2, onSelect: () => setIsTableView(!isTableView) },
  ];
  return (
    <>
      <Card
        title={answer && !isEventUnknown && !isOutdated ? (lacksLimit ? "No threshold yet" : firedInWords(answer.fired)) : "The past 30 days"}
        note={`${peakText}last 30 days, ${environmentLabel(environments, rule.environment)}`}
        busy={isAnswerable && isPending}
        isStale={isAnswerable && isFetching && !isPending}
        tools={
          <>
            {onLimit ? (
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
            <Placeholder trial={trial} incompleteReason={incompleteReason} />
          ) : isEventUnknown ? (
            <Unseen notices={answer.notices} onUseSuggestion={onUseSuggestion} />
          ) : answer.points.every(({ value }) => value === null) ? (
            <State title="No data in the past 30 days" detail={`No events counted toward ${subject}.`} />
          ) : isTableView ? (
            <ValueTable answer={answer} extreme={extreme} subject={subject} timezone={timezone} />
          ) : (
            <BackTestChart answer={answer} rule={rule} extreme={extreme} subject={subject} timezone={timezone} onLimit={onLimit} />
          )}
        </div>
        {answer && !isEventUnknown ? <Notices notices={answer.notices} timezone={timezone} onUseSuggestion={onUseSuggestion} /> : null}
      </Card>
      {answer && !isEventUnknown && !lacksLimit ? <DayStrip answer={answer} timezone={timezone} /> : isAnswerable && isPending ? <DayStripSkeleton /> : null}
    </>
  );
}

/** What stands there while nothing can be shown. */
function Placeholder({ trial: { error, retry }, incompleteReason }: Pick<BackTestProps, "trial" | "incompleteReason">) {
  // A field that is wrong is marked in the sentence; trying again would not help.
  const problem = incompleteReason || (error instanceof ApiError && error.status === 400 ? errorInLine(error) : "");
  if (problem) return <State title="The rule is incomplete" detail={problem} />;
  return error ? <ErrorState {...errorInWords(error)} onRetry={retry} /> : <Skeleton height={SKELETON_HEIGHT} />;
}

/** Say how near the past came to a limit that it did not reach: "the peak was 60, "; "" without values. */
function peakInWords({ points }: Answer, extreme: Extreme): string {
  const value = extremeValueOf(points, extreme);
  return value === null ? "" : `the ${extreme === "highest" ? "peak" : "lowest"} was ${formatExact(value)}, `;
}

interface ValueTableProps {
  answer: Answer;
  extreme: Extreme | null;
  subject: string;
  timezone: string;
}

function ValueTable({ answer, extreme, subject, timezone }: ValueTableProps) {
  const columns = [{ label: extreme ? "Hour up to" : "Window end", numeric: false }, { label: extreme ? `${subject}, ${extreme}` : subject, numeric: true }];
  return <DataTableView label="Back-test" columns={columns} rows={answer.points.map(({ t, value }) => [bucketLabel(t, "hour", timezone), value])} />;
}
