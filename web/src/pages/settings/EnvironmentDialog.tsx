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
import { DAYS_MS } from "./days.ts";
import styles from "./Form.module.css";

const FIRST = "1970-01-01T00:00:00Z";

export interface EnvironmentDialogProps {
  environment: Environment;
  timezone: string;
  onClose: () => void;
}

/** Change what people call an environment, and for how long it keeps events. */
export function EnvironmentDialog({ environment, timezone, onClose }: EnvironmentDialogProps) {
  const { name, displayName, retentionDays } = environment;
  const [label, setLabel] = useState(displayName ?? "");
  const [days, setDays] = useState(retentionDays === null ? "" : String(retentionDays));
  const [isAgreed, setAgreed] = useState(false);
  const queryClient = useQueryClient();
  const dayCount = days.trim() === "" ? null : Number(days);
  const deletes = dayCount !== null && dayCount > 0 && (retentionDays === null || dayCount < retentionDays);
  const body = { displayName: label.trim() || null, retentionDays: dayCount };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeEnvironment(name, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: environmentsQuery.queryKey });
      toast({ text: `${body.displayName ?? name} is saved.` });
      onClose();
    },
  });
  const { about, rest } = errorsAbout(error, { retentionDays: "Days", displayName: "Shown as" });
  return (
    <FormDialog
      title={`Edit ${displayName ?? name}`}
      submit={deletes ? `Keep ${countInWords(dayCount, "day")} and delete the rest` : "Save"}
      danger={deletes}
      disabled={deletes && !isAgreed}
      busy={isPending}
      error={rest}
      below={<ApiExample request={{ method: "PATCH", path: `/v1/environments/${name}`, body }} />}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <TextField label="Shown as" maxLength={80} value={label} onChange={setLabel} placeholder={name} error={about.displayName} />
      <TextField
        label="Keep events for"
        type="number"
        min={1}
        max={3650}
        step={1}
        value={days}
        onChange={setDays}
        placeholder="for ever"
        end="days"
        hint="1 to 3650 days; empty keeps them for ever."
        error={about.retentionDays}
      />
      {deletes ? (
        <>
          <Loss environment={name} days={dayCount} timezone={timezone} />
          <CheckField label="Delete older events for good" checked={isAgreed} onChange={setAgreed} />
        </>
      ) : null}
    </FormDialog>
  );
}

/** What is deleted at once, and that it goes on. */
function Loss({ environment, days, timezone }: { environment: string; days: number; timezone: string }) {
  const [now] = useState(Date.now);
  const to = new Date(now - days * DAYS_MS).toISOString();
  const question = {
    environment,
    from: FIRST,
    to,
    type: "metric" as const,
    config: { events: "all" as const, measure: "count" as const },
  };
  const { data } = useQuery(questionQuery(question));
  const eventCount = data?.kind === "counter" ? data.value : null;
  const before = `from before ${formatDate(to, timezone)}`;
  const first = eventCount === 0 ? "No event is older than that now." : `${eventCount === null ? "All events" : countInWords(eventCount, "event")} ${before} go within a day, for good.`;
  return (
    <p className={styles.warning}>
      {first} From then on, every event is deleted {countInWords(days, "day")} after it happened. Only a backup brings it back.
    </p>
  );
}
