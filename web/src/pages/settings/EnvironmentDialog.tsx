import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Environment, changeEnvironment, environmentsQuery } from "../../api/environments.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { questionQuery } from "../../api/widgets.ts";
import { countInWords } from "../../core/numbers.ts";
import { formatDate } from "../../core/time.ts";
import { ApiExample } from "../../ui/Code/ApiExample.tsx";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { CheckField } from "../../ui/Field/CheckField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { DAY_MS } from "./usage.ts";
import styles from "./Form.module.css";

const EARLIEST_TIME = "1970-01-01T00:00:00Z";

export interface EnvironmentDialogProps {
  environment: Environment;
  timezone: string;
  onClose: () => void;
}

/** Change what people call an environment, and for how long it keeps events. */
export function EnvironmentDialog({ environment, timezone, onClose }: EnvironmentDialogProps) {
  const { name, displayName, retentionDays } = environment;
  const [label, setLabel] = useState(displayName ?? "");
  const [daysText, setDaysText] = useState(retentionDays === null ? "" : String(retentionDays));
  const [isAgreed, setAgreed] = useState(false);
  const queryClient = useQueryClient();
  const dayCount = daysText.trim() === "" ? null : Number(daysText);
  const deletesEvents = dayCount !== null && dayCount > 0 && (retentionDays === null || dayCount < retentionDays);
  const body = { displayName: label.trim() || null, retentionDays: dayCount };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeEnvironment(name, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: environmentsQuery.queryKey });
      toast({ text: `Saved “${body.displayName ?? name}”` });
      onClose();
    },
  });
  const { errorByField, otherError } = errorsAbout(error, { retentionDays: "Days", displayName: "Display name" });
  return (
    <FormDialog
      title={`Edit ${displayName ?? name}`}
      submit={deletesEvents ? `Keep ${countInWords(dayCount, "day")} and delete the rest` : "Save"}
      danger={deletesEvents}
      disabled={deletesEvents && !isAgreed}
      busy={isPending}
      error={otherError}
      footnote={<ApiExample request={{ method: "PATCH", path: `/v1/environments/${name}`, body }} />}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <TextField label="Display name" maxLength={80} value={label} onChange={setLabel} placeholder={name} error={errorByField.displayName} />
      <TextField
        label="Keep events for"
        type="number"
        min={1}
        max={3650}
        step={1}
        value={daysText}
        onChange={setDaysText}
        placeholder="forever"
        suffix="days"
        hint="1 to 3650 days. Leave empty to keep them forever."
        error={errorByField.retentionDays}
      />
      {deletesEvents ? (
        <>
          <DeletionNotice environment={name} dayCount={dayCount} timezone={timezone} />
          <CheckField label="Permanently delete older events" checked={isAgreed} onChange={setAgreed} />
        </>
      ) : null}
    </FormDialog>
  );
}

/** What is deleted at once, and that it goes on. */
function DeletionNotice({ environment, dayCount, timezone }: { environment: string; dayCount: number; timezone: string }) {
  const [now] = useState(Date.now);
  const deletedUntil = new Date(now - dayCount * DAY_MS).toISOString();
  const question = {
    environment,
    from: EARLIEST_TIME,
    to: deletedUntil,
    type: "metric" as const,
    config: { events: "all" as const, measure: "count" as const },
  };
  const { data } = useQuery(questionQuery(question));
  const eventCount = data?.kind === "counter" ? data.value : null;
  const rangeText = `from before ${formatDate(deletedUntil, timezone)}`;
  const firstSentence = eventCount === 0 ? "No event is that old yet." : `${eventCount === null ? "All events" : countInWords(eventCount, "event")} ${rangeText} will be permanently deleted within a day.`;
  return (
    <p className={styles.warning}>
      {firstSentence} Later, each event is deleted {countInWords(dayCount, "day")} after it happened. Only a backup can restore it.
    </p>
  );
}
