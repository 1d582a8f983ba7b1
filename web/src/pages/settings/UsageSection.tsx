import { useQueries, useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "../../api/environments.ts";
import { questionQuery } from "../../api/widgets.ts";
import { errorInWords } from "../../api/words.ts";
import { type Usage, usageQuery } from "../../api/workspace.ts";
import { countInWords, formatExact, formatPercent, formatShort } from "../../core/numbers.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { useNow } from "../../ui/useNow.ts";
import { DailyEvents } from "./DailyEvents.tsx";
import { dailyCountsOf, dailyQuestion } from "./dailyCounts.ts";
import { Section } from "./Section.tsx";
import { meterOf } from "./usage.ts";
import { useIdentity } from "./useIdentity.ts";
import styles from "./UsageSection.module.css";

/** From which share of a cap on it is time to say so. */
const WARNING_SHARE = 0.8;

/** How many events the plan has taken this month, and when it begins anew. */
export function UsageSection() {
  const { data, error, refetch } = useQuery(usageQuery);
  const now = useNow();
  return (
    <Section
      id="usage"
      title="Usage"
      badge={data ? <Badge>{data.plan}</Badge> : null}
      tools={data ? <UsageNote usage={data} now={now} /> : null}
    >
      {error && !data ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <UsageMeter usage={data} now={now} />
      ) : (
        <Skeleton height={150} />
      )}
    </Section>
  );
}

function UsageNote({ usage, now }: { usage: Usage; now: number }) {
  const { month, resetsInDays } = meterOf(usage, now);
  return (
    <span>
      {month}, resets in {countInWords(resetsInDays, "day")}
    </span>
  );
}

/** The events of all environments, day by day. */
function DailyUsage({ month, dayCount }: { month: string; dayCount: number }) {
  const { workspace } = useIdentity();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const answers = useQueries({ queries: environments.map(({ name }) => questionQuery(dailyQuestion(name))) });
  return <DailyEvents month={month} days={dailyCountsOf(answers.map(({ data }) => data), dayCount, workspace.timezone)} />;
}

function UsageMeter({ usage, now }: { usage: Usage; now: number }) {
  const { cap, used } = usage;
  const { month, nextMonth, dayNumber, dayCount, usedShare, expectedCount } = meterOf(usage, now);
  const isNear = cap !== null && used >= cap * WARNING_SHARE;
  return (
    <div className={styles.card}>
      <p className={styles.line}>
        <span className={styles.number}>{formatExact(used)}</span>
        <span className={styles.muted}>{cap === null ? "events, no limit" : `of ${formatExact(cap)} events`}</span>
        {expectedCount === null ? null : (
          <span className={styles.expected}>
            about {formatShort(expectedCount)} by 1 {nextMonth}
          </span>
        )}
      </p>
      <DailyUsage month={month} dayCount={dayCount} />
      {usedShare === null ? null : (
        <div className={styles.meter} data-near={isNear || undefined}>
          <i className={styles.bar} style={{ width: `${usedShare * 100}%` }} />
        </div>
      )}
      <p className={styles.note}>
        Day {dayNumber} of {dayCount}
        {usedShare === null ? "" : ` · ${formatPercent(usedShare)} of the plan used`} · by event date
      </p>
      {isNear ? (
        <p className={styles.warning}>
          {used >= cap
            ? "You've reached the plan's limit. Events are refused until next month."
            : "A batch that would exceed the limit is refused entirely."}{" "}
          The server's operator can change the plan.
        </p>
      ) : null}
    </div>
  );
}
