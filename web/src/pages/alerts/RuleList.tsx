import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AlertChannel } from "../../api/alertChannels.ts";
import type { ActivityEntry, Alert, AlertHistory } from "../../api/alerts.ts";
import { segmentsQuery } from "../../api/segments.ts";
import { formatAlone } from "../../core/numbers.ts";
import { toMilliseconds } from "../../core/time.ts";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import { useNow } from "../../ui/useNow.ts";
import { GaugeBar } from "./GaugeBar.tsx";
import { HistoryStrip } from "./HistoryStrip.tsx";
import { Pieces } from "./Pieces.tsx";
import styles from "./RuleList.module.css";
import { Status } from "./Status.tsx";
import { UnnotifiedChannels } from "./UnnotifiedChannels.tsx";
import { lastFiredInWords } from "./activity.ts";
import { NEW_CHANNEL_HASH, recipientsInWords } from "./channels.ts";
import { useSwitch } from "./useSwitch.ts";
import { delayInWords, ruleInWords } from "./words.ts";

export interface RuleListProps {
  alerts: readonly Alert[];
  channels: readonly AlertChannel[];
  /** Undefined while it is not known. */
  history: AlertHistory | undefined;
  /** The newest first. */
  activity: readonly ActivityEntry[];
  /** Whether that is all that alerts ever did. */
  isWholeActivity: boolean;
  timezone: string;
  mayWrite: boolean;
}

/** The rules, each as a sentence with its state, its value, and a switch for those who may pause it. */
export function RuleList({ alerts, channels, history, activity, isWholeActivity, timezone, mayWrite }: RuleListProps) {
  const now = useNow();
  const { switchAlert, isOn } = useSwitch();
  const { data: segments = [] } = useQuery(segmentsQuery);
  const segmentNameOf = ({ segmentId }: Alert) => (segmentId === null ? null : (segments.find(({ id }) => id === segmentId)?.name ?? "a segment"));
  return (
    <ul className={styles.list} aria-label="Rules" data-writes={mayWrite || undefined}>
      {alerts.map((alert) => (
        <li key={alert.id} className={styles.rule} data-status={alert.status}>
          <span className={styles.status}>
            <Status alert={alert} />
          </span>
          <div className={styles.words}>
            <Link to="/alerts/$alertId" params={{ alertId: alert.id }} className={styles.name}>
              {alert.name}
            </Link>
            <p className={styles.sentence}>
              <Pieces pieces={ruleInWords(alert, segmentNameOf(alert))} />
              <Recipients alert={alert} channels={channels} mayWrite={mayWrite} />
            </p>
            <UnnotifiedChannels alert={alert} channels={channels} />
            {alert.delayedSince ? <p className={styles.sentence}>{delayInWords(Math.max(0, now - toMilliseconds(alert.delayedSince)))}</p> : null}
            <HistoryStrip history={history} alertId={alert.id} />
          </div>
          <span className={styles.value}>
            {alert.lastEvaluatedAt === null ? null : (
              <>
                <Hidden>Value </Hidden>
                {valueInWords(alert)}
                <GaugeBar alert={alert} />
              </>
            )}
          </span>
          <span className={styles.when}>
            {lastFiredInWords(activity, isWholeActivity, alert, timezone, now)}
          </span>
          {mayWrite ? (
            <span className={styles.switch}>
              <SwitchField label={<Hidden>{`${alert.name} is on`}</Hidden>} checked={isOn(alert)} onChange={(isChecked) => switchAlert(alert, isChecked, false)} />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** Write the last value of an alert, or that there was none. */
function valueInWords({ noDataSince, lastValue }: Alert): string {
  return noDataSince !== null ? "No data" : lastValue === null ? "no value" : formatAlone(lastValue);
}

interface RecipientsProps {
  alert: Alert;
  channels: readonly AlertChannel[];
  mayWrite: boolean;
}

/** Whom an alert notifies, after its rule; that it is nobody stands out and leads to where that is changed. */
function Recipients({ alert, channels, mayWrite }: RecipientsProps) {
  const recipientText = recipientsInWords(alert, channels);
  if (recipientText === "") return null;
  const isSilent = alert.channelIds.length === 0;
  return (
    <>
      {" · "}
      {isSilent && mayWrite ? (
        <Link to="/alerts/$alertId" params={{ alertId: alert.id }} {...(channels.length === 0 ? { hash: NEW_CHANNEL_HASH } : {})} className={styles.silent}>
          {recipientText}
        </Link>
      ) : (
        <span className={isSilent ? styles.silent : undefined}>{recipientText}</span>
      )}
    </>
  );
}
