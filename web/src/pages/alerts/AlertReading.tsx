import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { alertChannelsQuery } from "../../api/alertChannels.ts";
import type { Alert } from "../../api/alerts.ts";
import { segmentsQuery } from "../../api/segments.ts";
import { useMarkedEnvironment } from "../../scope/useMarkedEnvironment.ts";
import { Page } from "../../ui/Page/Page.tsx";
import styles from "./Alert.module.css";
import { AlertActivity } from "./ActivityFeed.tsx";
import { BackTest } from "./BackTest.tsx";
import { DelayNote } from "./DelayNote.tsx";
import { GapNote } from "./GapNote.tsx";
import { Pieces } from "./Pieces.tsx";
import { Status } from "./Status.tsx";
import { ChannelsCard } from "./ChannelsCard.tsx";
import { RemindersCard } from "./RemindersCard.tsx";
import { UnnotifiedChannels } from "./UnnotifiedChannels.tsx";
import { draftOf, watchedFieldsOf } from "./draft.ts";
import { useBackTest } from "./useBackTest.ts";
import { joinPieces, ruleInWords, subjectPieces } from "./words.ts";

/** An alert for people who may only look: the same page without a field. */
export function AlertReading({ alert, timezone }: { alert: Alert; timezone: string }) {
  useMarkedEnvironment(alert.environment);
  const { data: channels = [] } = useQuery(alertChannelsQuery);
  const { data: segments = [] } = useQuery(segmentsQuery);
  const trial = useBackTest(watchedFieldsOf(draftOf(alert)), true);
  const segmentName = segments.find(({ id }) => id === alert.segmentId)?.name ?? null;
  return (
    <Page title={alert.name} crumbs={<Link to="/alerts">Alerts</Link>} badge={<Status alert={alert} isBrief />}>
      <div className={styles.columns}>
        <div className={styles.column}>
          <GapNote alert={alert} mayWrite={false} />
          <DelayNote alert={alert} />
          <UnnotifiedChannels alert={alert} channels={channels} />
          <section className={styles.rule} aria-label="Rule">
            <p className={styles.text}>
              <Pieces pieces={ruleInWords(alert, segmentName)} />, {alert.severity}
            </p>
          </section>
          <BackTest trial={trial} subject={joinPieces(subjectPieces(alert))} incompleteReason="" timezone={timezone} />
        </div>
        <aside className={styles.column} aria-label="Notifications">
          <ChannelsCard channelIds={alert.channelIds} onChange={undefined} error={undefined} />
          <RemindersCard cooldownMinutes={alert.cooldownMinutes} onChange={undefined} />
          <AlertActivity alertId={alert.id} timezone={timezone} />
        </aside>
      </div>
    </Page>
  );
}
