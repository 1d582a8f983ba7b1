import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Dashboard, changeDashboard, dashboardQuery, dashboardsQuery } from "../../api/dashboards.ts";
import { environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { ApiError } from "../../api/errors.ts";
import { NOW } from "../../api/queries.ts";
import { errorInLine } from "../../api/words.ts";
import { RANGE_NAMES, isRangeName, rangeInWords } from "../../core/timeRanges.ts";
import { type Filter, filterInWords, filterToText } from "../../scope/filters.ts";
import { Chip } from "../../ui/Chip/Chip.tsx";
import { WorkDialog } from "../../scope/work/WorkDialog.tsx";
import { useWork } from "../../scope/work/useWork.ts";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import styles from "./SettingsDialog.module.css";

const RANGE_OPTIONS = RANGE_NAMES.map((value) => ({ value, label: rangeInWords(value) }));

/** Return what the dialog changes. */
const draftOf = ({ name, description, environment, timeRange, filters }: Dashboard) => ({ name, description: description ?? "", environment, timeRange, filters });

/** What a dashboard is called, whose events it counts, and what it shows to whoever opens it. */
export function SettingsDialog({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const query = dashboardQuery(dashboard.id);
  const work = useWork({ subject: `dashboard ${dashboard.id}`, savedValue: draftOf(dashboard), isNew: false });
  const fields = work.value;
  const updateFields = (change: Partial<typeof fields>) => work.change((draft) => ({ ...draft, ...change }));
  const save = useMutation({
    mutationFn: async () => {
      await work.checkSaved(async () => draftOf(await queryClient.query({ ...query, ...NOW })));
      return changeDashboard(dashboard.id, { ...fields, description: fields.description || null });
    },
    onSuccess: async (savedDashboard) => {
      work.finish();
      queryClient.setQueryData(query.queryKey, savedDashboard);
      await queryClient.invalidateQueries({ queryKey: dashboardsQuery.queryKey });
      onClose();
    },
  });
  const refusal = save.error instanceof ApiError ? save.error : null;
  return (
    <WorkDialog
      work={work}
      noun="dashboard"
      title="Dashboard settings"
      submit="Save"
      busy={save.isPending}
      error={save.error ? errorInLine(save.error) : null}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={120} value={fields.name} onChange={(name) => updateFields({ name })} error={refusal?.messageAbout("name") ?? null} />
      <TextField
        label="Description"
        maxLength={280}
        value={fields.description}
        onChange={(description) => updateFields({ description })}
        error={refusal?.messageAbout("description") ?? null}
      />
      <SelectField
        label="Environment"
        value={fields.environment}
        onChange={(environment) => updateFields({ environment })}
        options={environmentChoices(environments, fields.environment)}
      />
      <SelectField
        label="Time range"
        value={fields.timeRange}
        onChange={(timeRange) => isRangeName(timeRange) && updateFields({ timeRange })}
        options={RANGE_OPTIONS}
      />
      <SavedFilters filters={fields.filters} onChange={(filters) => updateFields({ filters })} />
    </WorkDialog>
  );
}

function SavedFilters({ filters, onChange }: { filters: Filter[]; onChange: (filters: Filter[]) => void }) {
  if (filters.length === 0) return null;
  return (
    <div role="group" aria-label="Saved filters" className={styles.filters}>
      {filters.map((filter, index) => (
        <Chip
          key={filterToText(filter)}
          label={filterInWords(filter)}
          parts={[filterInWords(filter)]}
          onRemove={() => onChange(filters.filter((_, filterIndex) => filterIndex !== index))}
        />
      ))}
    </div>
  );
}
