import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { namesQuery } from "../../api/names.ts";
import { type Segment, changeSegment, createSegment } from "../../api/segments.ts";
import type { Filter } from "../../scope/filters.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { FilterList } from "../../widgets/FilterList.tsx";
import styles from "./EditDialog.module.css";
import { Sentence } from "./Sentence.tsx";

export interface EditDialogProps {
  environment: string;
  /** The one that is edited; absent for a new one. */
  segment?: Segment;
  onClose: () => void;
}

const INITIAL_FILTERS: Filter[] = [{ key: "", op: "eq", value: "" }];

/** Name a segment and say who is in it. */
export function EditDialog({ environment, segment, onClose }: EditDialogProps) {
  const { data: namesAnswer } = useQuery(namesQuery(environment));
  const [name, setName] = useState(segment?.name ?? "");
  const [filters, setFilters] = useState<Filter[]>(segment?.filters ?? []);
  const [isFilterMissing, setFilterMissing] = useState(false);
  const save = useSave(environment, segment, onClose);
  const submit = () => {
    setFilterMissing(filters.length === 0);
    if (filters.length > 0) save.mutate({ name: name.trim(), filters });
  };
  const names = { areKnown: namesAnswer !== undefined, events: namesAnswer?.events ?? [], properties: namesAnswer?.properties ?? [], groupKeys: [], segments: [], sources: [] };
  const { errorByField, otherError } = errorsAbout(save.error, { name: "Name" });
  return (
    <FormDialog
      title={segment ? "Edit segment" : "New segment"}
      width={560}
      description={segment ? "Widgets and alerts that use it update immediately." : `For widgets and alerts in ${environment}.`}
      submit={segment ? "Save" : "Create segment"}
      busy={save.isPending}
      error={otherError ?? (isFilterMissing && filters.length === 0 ? "Add at least one filter with a key and a value." : null)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={120} autoComplete="off" value={name} onChange={setName} error={errorByField.name} />
      <FilterList label="Filters" filters={segment?.filters ?? INITIAL_FILTERS} onChange={setFilters} names={names} />
      {filters.length > 0 ? (
        <p className={styles.sentence}>
          <Sentence filters={filters} />
        </p>
      ) : null}
    </FormDialog>
  );
}

function useSave(environment: string, segment: Segment | undefined, onSaved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (fields: { name: string; filters: Filter[] }) =>
      segment ? changeSegment(segment.id, fields) : createSegment({ environment, ...fields }),
    onSuccess: async ({ name }) => {
      await forgetAnswers(queryClient);
      toast({ text: segment ? `Saved “${name}”` : `Created “${name}”` });
      onSaved();
    },
  });
}
