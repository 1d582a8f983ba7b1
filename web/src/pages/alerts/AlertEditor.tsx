import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { alertChannelsQuery } from "../../api/alertChannels.ts";
import { type Alert, type AlertFields, alertQuery, alertsQuery, createAlert, changeAlert } from "../../api/alerts.ts";
import { namesQuery } from "../../api/names.ts";
import { segmentsQuery } from "../../api/segments.ts";
import { NOW } from "../../api/queries.ts";
import { errorInLine } from "../../api/words.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { sayFailure } from "../../scope/sayFailure.ts";
import { DraftNote } from "../../scope/work/DraftNote.tsx";
import { LeaveQuestion } from "../../scope/work/LeaveQuestion.tsx";
import { OutdatedNote } from "../../scope/work/OutdatedNote.tsx";
import { useSaveKey } from "../../scope/work/useSaveKey.ts";
import { type Work, useWork } from "../../scope/work/useWork.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import type { Names } from "../../widgets/definition.ts";
import { withSuggestion } from "../../widgets/suggestedNames.ts";
import styles from "./Alert.module.css";
import { AlertActivity } from "./ActivityFeed.tsx";
import { AlertMenu } from "./AlertMenu.tsx";
import { BackTest } from "./BackTest.tsx";
import { DelayNote } from "./DelayNote.tsx";
import { GapNote } from "./GapNote.tsx";
import { RuleSentence } from "./RuleSentence.tsx";
import { Status } from "./Status.tsx";
import { ChannelsCard } from "./ChannelsCard.tsx";
import { RemindersCard } from "./RemindersCard.tsx";
import { UnnotifiedChannels } from "./UnnotifiedChannels.tsx";
import { silenceInWords } from "./channels.ts";
import { type AlertDraft, draftOf, essenceOf, fieldsOf, lacksLimit, missingComplaintsOf, refusalsIn, ruleOf, suggestedName, watchedFieldsOf } from "./draft.ts";
import { useTrial } from "./useBackTest.ts";
import { useLimitAdvice } from "./useLimitAdvice.ts";
import { joinPieces, subjectPieces } from "./words.ts";

export interface AlertEditorProps {
  /** The alert that is edited; undefined for a new one. */
  alert: Alert | undefined;
  /** What is edited, for the draft that the browser keeps. */
  subject: string;
  initialDraft: AlertDraft;
  timezone: string;
}

/** A rule as a sentence, what it would have done, and whom it tells. */
export function AlertEditor({ alert, subject, initialDraft, timezone }: AlertEditorProps) {
  const work = useWork({ subject, savedValue: initialDraft, isNew: alert === undefined, essenceOf });
  const draft = work.value;
  const changeDraft = (part: Partial<AlertDraft>) => work.change((previous) => ({ ...previous, ...part }));
  const chooseLimit = (limit: number) => changeDraft({ threshold: String(limit), isLimitTyped: true });
  const names = useNames(draft.environment);
  const missingComplaints = missingComplaintsOf(draft);
  const [incompleteReason = ""] = Object.values(missingComplaints);
  // A threshold that nobody has chosen is not missing before it could be suggested.
  const { threshold: _, ...otherComplaints } = missingComplaints;
  const shownComplaints = lacksLimit(draft) ? otherComplaints : missingComplaints;
  const [untestableReason = ""] = Object.values(shownComplaints);
  const trial = useTrial(watchedFieldsOf(draft), untestableReason === "");
  const limitAdvice = useLimitAdvice(draft.condition, draft.windowMinutes, draft.isLimitTyped, trial.values);
  const { suggestion } = limitAdvice;
  if (suggestion && !draft.isLimitTyped && suggestion.limit !== draft.threshold) changeDraft({ threshold: suggestion.limit });
  const alertSave = useSave(alert, work);
  const complaints = { ...refusalsIn(trial.error), ...refusalsIn(alertSave.error), ...shownComplaints };
  const [isConfirming, setIsConfirming] = useState(false);
  const { data: channels } = useQuery(alertChannelsQuery);
  const silenceReason = silenceInWords(draft.channelIds, channels);
  const mustConfirm = incompleteReason === "" && silenceReason !== "" && draft.channelIds.join() !== alert?.channelIds.join();
  const submit = () => alertSave.save(fieldsOf(draft), incompleteReason);
  const trySaving = mustConfirm ? () => setIsConfirming(true) : submit;
  useSaveKey(() => {
    if (!alertSave.isPending) trySaving();
  });
  const hasFieldErrors = Object.keys(refusalsIn(alertSave.error)).length > 0;
  return (
    <Page
      title={alert?.name ?? "New alert"}
      crumbs={<Link to="/alerts">Alerts</Link>}
      badge={
        <>
          {alert ? <Status alert={alert} isBrief /> : null}
          <DraftNote work={work} />
        </>
      }
      tools={
        <>
          <EnvironmentPicker environment={draft.environment} onChange={(environment) => changeDraft({ environment, segmentId: null })} />
          {alert ? <AlertMenu alert={alert} onDeleted={work.finish} /> : null}
          <span className={styles.cancel}>
            <Button variant="quiet" onClick={alertSave.goToList}>Cancel</Button>
          </span>
          <Button variant="primary" busy={alertSave.isPending} onClick={trySaving}>
            Save
          </Button>
        </>
      }
    >
      <FormError text={alertSave.error && !hasFieldErrors ? errorInLine(alertSave.error) : null} />
      <OutdatedNote work={work} noun="alert" />
      <div key={work.edition} className={styles.columns}>
        <div className={styles.column}>
          {alert ? <GapNote alert={alert} mayWrite /> : null}
          {alert ? <DelayNote alert={alert} /> : null}
          {alert && channels ? <UnnotifiedChannels alert={alert} channels={channels} /> : null}
          <RuleSentence
            draft={draft}
            onChange={changeDraft}
            names={names}
            complaints={complaints}
            limitAdvice={initialDraft.isLimitTyped ? null : limitAdvice}
            onLimit={chooseLimit}
          />
          <BackTest
            trial={trial}
            subject={joinPieces(subjectPieces(ruleOf(draft)))}
            incompleteReason={untestableReason}
            timezone={timezone}
            onLimit={chooseLimit}
            onUseSuggestion={(notice) => work.change((previous) => withSuggestion(previous, notice))}
          />
        </div>
        <aside className={styles.column} aria-label="Notifications">
          <ChannelsCard
            channelIds={draft.channelIds}
            onChange={(channelIds) => changeDraft({ channelIds })}
            error={complaints.channelIds}
          />
          <RemindersCard cooldownMinutes={draft.cooldownMinutes} onChange={(cooldownMinutes) => changeDraft({ cooldownMinutes })} />
          <Card title="Name">
            <TextField
              label="Name"
              hideLabel
              autoComplete="off"
              maxLength={120}
              placeholder={suggestedName(draft)}
              value={draft.name}
              onChange={(name) => changeDraft({ name })}
              error={complaints.name}
            />
          </Card>
          {alert ? <AlertActivity alertId={alert.id} timezone={timezone} /> : null}
        </aside>
      </div>
      {isConfirming ? (
        <FormDialog
          title="Save without notifying anyone?"
          description={`${silenceReason} When it fires, you'll only see it here, under Alerts.`}
          submit="Save anyway"
          onSubmit={() => {
            setIsConfirming(false);
            submit();
          }}
          onClose={() => setIsConfirming(false)}
        >
          {null}
        </FormDialog>
      ) : null}
      <LeaveQuestion work={work} />
    </Page>
  );
}

/** Return the names that a rule about an environment can have. */
function useNames(environment: string): Names {
  const { data } = useQuery(namesQuery(environment));
  const { data: segments = [] } = useQuery(segmentsQuery);
  return {
    environment,
    areKnown: data !== undefined,
    events: data?.events ?? [],
    properties: data?.properties ?? [],
    segments: segments.filter((segment) => segment.environment === environment),
    groupKeys: [],
    sources: [],
  };
}

/** Save an alert and go back to the list; what is refused stays to be read. */
function useSave(alert: Alert | undefined, work: Work<AlertDraft>) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const goToList = () => void navigate({ to: "/alerts" });
  const loadDraft = (id: string) => async () => draftOf(await queryClient.query({ ...alertQuery(id), ...NOW }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (fields: AlertFields) => {
      if (!alert) return createAlert(fields);
      await work.checkSaved(loadDraft(alert.id));
      return changeAlert(alert.id, fields);
    },
    onSuccess: async (savedAlert) => {
      work.finish();
      queryClient.setQueryData(alertQuery(savedAlert.id).queryKey, savedAlert);
      await queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey });
      toast({ text: `Saved “${savedAlert.name}”` });
      goToList();
    },
    onError: sayFailure,
  });
  /** Save, unless the rule lacks something, which is said instead. */
  const save = (fields: AlertFields, incompleteReason: string) => {
    if (incompleteReason === "") mutate(fields);
    else toast({ text: incompleteReason, tone: "error" });
  };
  return { save, goToList, isPending, error };
}
