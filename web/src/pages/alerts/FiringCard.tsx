import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Activity as ActivityIcon, Check, Pause } from "lucide-react";
import { useId, useMemo, useState } from "react";
import type { AlertChannel } from "../../api/alertChannels.ts";
import { type ActivityEntry, type Alert, type AlertHistory, type BackTest, backTestQuery } from "../../api/alerts.ts";
import { TimeSeries } from "../../charts/TimeSeries.tsx";
import { formatDurationMs } from "../../core/durations.ts";
import { formatExact } from "../../core/numbers.ts";
import { toMilliseconds } from "../../core/time.ts";
import { filterToText } from "../../scope/filters.ts";
import { Button, buttonClass } from "../../ui/Button/Button.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./FiringCard.module.css";
import { HistoryStrip } from "./HistoryStrip.tsx";
import { Pieces } from "./Pieces.tsx";
import { ResolveDialog } from "./ResolveDialog.tsx";
import { UnnotifiedChannels } from "./UnnotifiedChannels.tsx";
import { lastFiredAt } from "./activity.ts";
import { draftOf, watchedFieldsOf } from "./draft.ts";
import { lineOf } from "./stripDays.ts";
import { useSwitch } from "./useSwitch.ts";
import { delayInWords, firingInWords, gapInWords, joinPieces, subjectPieces } from "./words.ts";

/** How many hours the chart shows. */
const SHOWN_HOURS = 12;
const CHART_HEIGHT = 128;

export interface FiringCardProps {
  alert: Alert;
  channels: readonly AlertChannel[];
  history: AlertHistory | undefined;
  /** The newest first. */
  activity: readonly ActivityEntry[];
  timezone: string;
  mayWrite: boolean;
}

/** An alert that fires now: since when, why, its last hours, and what to do about it. */
export function FiringCard({ alert, channels, history, activity, timezone, mayWrite }: FiringCardProps) {
  const headingId = useId();
  const now = useNow();
  const { switchAlert } = useSwitch();
  const [isResolving, setIsResolving] = useState(false);
  const firedAt = lastFiredAt(activity, alert.id);
  const { noDataSince } = alert;
  return (
    <section className={styles.card} aria-labelledby={headingId}>
      <div className={styles.words}>
        <p className={styles.state}>{firedAt === undefined ? "Firing" : `Firing for ${formatDurationMs(Math.max(0, now - toMilliseconds(firedAt)))}`}</p>
        <h2 id={headingId} className={styles.name}>
          <Link to="/alerts/$alertId" params={{ alertId: alert.id }}>
            {alert.name}
          </Link>
        </h2>
        <p className={styles.why}>
          <Pieces pieces={noDataSince === null ? firingInWords(alert) : gapInWords(alert, Math.max(0, now - toMilliseconds(noDataSince)))} />
        </p>
        <UnnotifiedChannels alert={alert} channels={channels} />
        {alert.delayedSince ? <p className={styles.why}>{delayInWords(Math.max(0, now - toMilliseconds(alert.delayedSince)))}</p> : null}
        <HistoryStrip history={history} alertId={alert.id} />
        <div className={styles.actions}>
          <EventsLink alert={alert} />
          {mayWrite ? (
            <>
              <Button small icon={Check} onClick={() => setIsResolving(true)}>Resolve</Button>
              <Button small icon={Pause} onClick={() => switchAlert(alert, false, true)}>
                Pause
              </Button>
            </>
          ) : null}
        </div>
      </div>
      <LastHoursChart alert={alert} timezone={timezone} />
      {isResolving ? <ResolveDialog alert={alert} onClose={() => setIsResolving(false)} /> : null}
    </section>
  );
}

function EventsLink({ alert: { event, filters, environment, segmentId } }: { alert: Alert }) {
  const search = {
    env: environment,
    range: "24h" as const,
    ...(event === null ? {} : { name: event }),
    ...(filters && filters.length > 0 ? { f: filters.map(filterToText) } : {}),
    ...(segmentId === null ? {} : { seg: segmentId }),
  };
  return (
    <Link to="/events" search={search} className={buttonClass("plain", true)}>
      <ActivityIcon size={14} strokeWidth={1.6} aria-hidden="true" />
      Show events
    </Link>
  );
}

const isFlat = (data: BackTest | undefined): boolean => data?.points.slice(-SHOWN_HOURS).every(({ value }) => !value) ?? false;

/** The values of an alert's windows in the last hours, with the limit where it is one of values. */
function LastHoursChart({ alert, timezone }: { alert: Alert; timezone: string }) {
  const { data, error } = useQuery(backTestQuery(watchedFieldsOf(draftOf(alert))));
  const subject = joinPieces(subjectPieces(alert));
  const line = useMemo(() => (data ? lineOf(data, subject, SHOWN_HOURS + 1) : null), [data, subject]);
  const limit = alert.condition === "above" || alert.condition === "below" ? alert.threshold : null;
  const thresholds = useMemo(() => (limit === null ? [] : [{ value: limit, label: `limit ${formatExact(limit)}`, kind: "limit" as const }]), [limit]);
  if (error || isFlat(data)) return null;
  return (
    <div className={styles.chart}>
      {line ? (
        <TimeSeries
          title={`${alert.name}, last ${SHOWN_HOURS} hours`}
          line={line}
          interval="hour"
          timezone={timezone}
          hasLegend={false}
          axis="zero"
          thresholds={thresholds}
        />
      ) : (
        <Skeleton height={CHART_HEIGHT} />
      )}
    </div>
  );
}
