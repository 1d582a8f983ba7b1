import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { identityQuery } from "../../api/auth.ts";
import { dashboardsQuery } from "../../api/dashboards.ts";
import { type Digest, changeDigest, createDigest, digestsQuery } from "../../api/digests.ts";
import { entryWithId } from "../../api/entries.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { NOW } from "../../api/queries.ts";
import { WorkDialog } from "../../scope/work/WorkDialog.tsx";
import { type Work, useWork } from "../../scope/work/useWork.ts";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextArea } from "../../ui/Field/TextArea.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { CadenceFields } from "./CadenceFields.tsx";
import { type DigestDraft, draftOf, fieldsOf, newDraft } from "./digestDraft.ts";
import { MAX_RECIPIENTS, recipientsIn, recipientsProblem } from "./recipients.ts";

export interface EditDialogProps {
  /** The one that is edited; absent for a new one. */
  digest?: Digest;
  /** The dashboard that is chosen at first for a new one. */
  initialDashboardId?: string | undefined;
  onSaved?: (digest: Digest) => void;
  onClose: () => void;
}

/** Say which dashboard is mailed, when, and to whom. */
export function EditDialog({ digest, initialDashboardId, onSaved, onClose }: EditDialogProps) {
  const { data: identity } = useQuery(identityQuery);
  const { data: dashboards = [] } = useQuery(dashboardsQuery);
  const work = useWork({
    subject: digest ? `digest ${digest.id}` : `digest new ${initialDashboardId ?? ""}`,
    savedValue: digest ? draftOf(digest) : newDraft(initialDashboardId ?? "", identity?.workspace.timezone ?? "UTC", identity?.user.email ?? ""),
    isNew: digest === undefined,
  });
  const draft = work.value;
  const updateDraft = (change: Partial<DigestDraft>) => work.change((previous) => ({ ...previous, ...change }));
  const selectedDashboardId = draft.dashboardId || (dashboards[0]?.id ?? "");
  const recipients = recipientsIn(draft.recipients);
  const save = useSave(digest, work, (savedDigest) => {
    onClose();
    onSaved?.(savedDigest);
  });
  const submit = () => {
    if (recipients.length <= MAX_RECIPIENTS) save.mutate({ ...draft, dashboardId: selectedDashboardId });
  };
  const { errorByField, otherError } = errorsAbout(save.error, { name: "Name", timezone: "Time zone" });
  const recipientsError = recipientsProblem(save.error, recipients);
  const dashboard = dashboards.find(({ id }) => id === selectedDashboardId);
  return (
    <WorkDialog
      work={work}
      noun="digest"
      title={digest ? "Edit digest" : "New digest"}
      description={digest && dashboard ? `Emails the dashboard ${dashboard.name}.` : "Email a dashboard on a schedule."}
      width={520}
      submit={digest ? "Save" : "Create digest"}
      disabled={selectedDashboardId === ""}
      busy={save.isPending}
      error={recipientsError ? null : otherError}
      onSubmit={submit}
      onClose={onClose}
    >
      {digest ? null : (
        <SelectField
          label="Dashboard"
          value={selectedDashboardId}
          onChange={(id) => updateDraft({ dashboardId: id })}
          options={dashboards.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <TextField
        label="Name"
        maxLength={120}
        placeholder={dashboard?.name ?? ""}
        value={draft.name}
        onChange={(name) => updateDraft({ name })}
        hint="The name of the email. Leave empty to use the dashboard's name."
        error={errorByField.name}
      />
      <CadenceFields draft={draft} onChange={updateDraft} timezoneError={errorByField.timezone} />
      <TextArea
        label="Recipients"
        required
        rows={3}
        spellCheck={false}
        autoCapitalize="none"
        value={draft.recipients}
        onChange={(text) => updateDraft({ recipients: text })}
        hint={recipientsHint(digest)}
        error={recipientsError}
      />
    </WorkDialog>
  );
}

function recipientsHint(digest: Digest | undefined): string {
  const addresses = digest?.unsubscribed ?? [];
  const limitHint = `Up to ${MAX_RECIPIENTS} addresses, one per line.`;
  return addresses.length > 0 ? `${limitHint} Unsubscribed: ${addresses.join(", ")}. To resubscribe an address, add it again.` : limitHint;
}

function useSave(digest: Digest | undefined, work: Work<DigestDraft>, onSaved: (digest: Digest) => void) {
  const queryClient = useQueryClient();
  const loadDraft = (id: string) => async () => draftOf(entryWithId(await queryClient.query({ ...digestsQuery, ...NOW }), id));
  return useMutation({
    mutationFn: async (draft: DigestDraft) => {
      if (!digest) return createDigest({ dashboardId: draft.dashboardId, ...fieldsOf(draft) });
      await work.checkSaved(loadDraft(digest.id));
      return changeDigest(digest.id, fieldsOf(draft));
    },
    onSuccess: async (savedDigest) => {
      work.finish();
      await queryClient.invalidateQueries({ queryKey: digestsQuery.queryKey });
      toast({ text: digest ? "Digest saved." : "Digest created." });
      onSaved(savedDigest);
    },
  });
}
