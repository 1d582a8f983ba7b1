import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { alertChannelsQuery } from "../../api/alertChannels.ts";
import { type Alert, createAlert, changeAlert } from "../../api/alerts.ts";
import { errorInLine } from "../../api/words.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { withSuggestion } from "../../widgets/suggestedNames.ts";
import styles from "./Alert.module.css";
import { AlertActivity } from "./AlertActivity.tsx";
import { AlertCrumbs } from "./AlertCrumbs.tsx";
import { AlertMenu } from "./AlertMenu.tsx";
import { BackTest } from "./BackTest.tsx";
import { GapNote } from "./GapNote.tsx";
import { SilentDialog } from "./SilentDialog.tsx";
import { Sentence } from "./Sentence.tsx";
import { Status } from "./Status.tsx";
import { ChannelsCard } from "./ChannelsCard.tsx";
import { RemindersCard } from "./RemindersCard.tsx";
import { UnnotifiedChannels } from "./UnnotifiedChannels.tsx";
import { silenceInWords } from "./channels.ts";
import { type AlertDraft, fieldsOf, missingIn, refusalsIn, ruleOf, suggestedName, watchedFieldsOf } from "./draft.ts";
import { suggestLimit } from "./suggestedLimit.ts";
import { joinPieces, subjectOf } from "./words.ts";
import { useBackTest } from "./useBackTest.ts";
import { useNames } from "./useNames.ts";
import { useSave } from "./useSave.ts";

export interface AlertEditorProps {
  /** The alert that is edited; undefined for a new one. */
  alert: Alert | undefined;
  first: AlertDraft;
  timezone: string;
}

/** A rule as a sentence, what it would have done, and whom it tells. */
export function AlertEditor({ alert, first, timezone }: AlertEditorProps) {
  const [draft, setDraft] = useState(first);
  const change = (part: Partial<AlertDraft>) => setDraft((before) => ({ ...before, ...part }));
  const names = useNames(draft.environment);
  const missing = missingIn(draft);
  const [lacking = ""] = Object.values(missing);
  const test = useBackTest(watchedFieldsOf(draft), lacking === "");
  const limit = draft.isLimitOwn ? null : suggestLimit(draft.condition, test.answer?.points);
  if (limit !== null && limit !== draft.threshold) change({ threshold: limit });
  const save = useSave((fields) => (alert ? changeAlert(alert.id, fields) : createAlert(fields)));
  const complaints = { ...refusalsIn(test.error), ...refusalsIn(save.error), ...missing };
  const [asking, setAsking] = useState(false);
  const { data: channels } = useQuery(alertChannelsQuery);
  const silence = silenceInWords(draft.channelIds, channels);
  const isAsked = lacking === "" && silence !== "" && draft.channelIds.join() !== alert?.channelIds.join();
  const send = () => save.save(fieldsOf(draft), lacking);
  const isTold = Object.keys(refusalsIn(save.error)).length > 0;
  return (
    <Page
      title={alert?.name ?? "New alert"}
      crumbs={<AlertCrumbs />}
      badge={alert ? <Status alert={alert} isBrief /> : null}
      tools={
        <>
          <EnvironmentPicker environment={draft.environment} onChange={(environment) => change({ environment, segmentId: null })} />
          {alert ? <AlertMenu alert={alert} /> : null}
          <span className={styles.cancel}>
            <Button variant="quiet" onClick={save.leave}>
              Cancel
            </Button>
          </span>
          <Button variant="primary" busy={save.isPending} onClick={isAsked ? () => setAsking(true) : send}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles.columns}>
        <div className={styles.column}>
          {alert ? <GapNote alert={alert} mayWrite /> : null}
          {alert && channels ? <UnnotifiedChannels alert={alert} channels={channels} /> : null}
          <Sentence draft={draft} onChange={change} names={names} complaints={complaints} />
          <BackTest test={test} subject={joinPieces(subjectOf(ruleOf(draft)))} missing={lacking} isLive timezone={timezone} onTake={(notice) => setDraft((before) => withSuggestion(before, notice))} />
        </div>
        <aside className={styles.column} aria-label="What follows">
          <ChannelsCard channelIds={draft.channelIds} onChange={(channelIds) => change({ channelIds })} error={complaints.channelIds} />
          <RemindersCard minutes={draft.cooldownMinutes} onChange={(cooldownMinutes) => change({ cooldownMinutes })} />
          <Card title="Name">
            <TextField
              label="Name"
              hideLabel
              autoComplete="off"
              maxLength={120}
              placeholder={suggestedName(draft)}
              value={draft.name}
              onChange={(name) => change({ name })}
              error={complaints.name}
            />
          </Card>
          <FormError text={save.error && !isTold ? errorInLine(save.error) : null} />
          {alert ? <AlertActivity alert={alert} timezone={timezone} /> : null}
        </aside>
      </div>
      {asking ? <SilentDialog reason={silence} onSave={send} onClose={() => setAsking(false)} /> : null}
    </Page>
  );
}
