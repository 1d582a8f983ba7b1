import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { entryWithId } from "../../api/entries.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { namesQuery } from "../../api/names.ts";
import { NOW } from "../../api/queries.ts";
import { type Segment, changeSegment, createSegment, segmentsQuery } from "../../api/segments.ts";
import { type Filter, filterToText } from "../../scope/filters.ts";
import { WorkDialog } from "../../scope/work/WorkDialog.tsx";
import { type Work, useWork } from "../../scope/work/useWork.ts";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { FilterList } from "../../widgets/FilterList.tsx";
import styles from "./EditDialog.module.css";
import { Sentence } from "./Sentence.tsx";

export interface EditDialogProps {
  environment: string;
  /** The one that is edited; absent for a new one. */
  segment?: Segment;
  /** What a new one begins with. */
  initialFilters?: Filter[];
  onClose: () => void;
}

/** A segment while somebody writes it. */
interface SegmentDraft {
  name: string;
  filters: Filter[];
}

const draftOf = (segment: Segment | undefined, initialFilters: Filter[] = []): SegmentDraft =>
  ({ name: segment?.name ?? "", filters: segment?.filters ?? initialFilters });

/** Name a segment and say who is in it. */
export function EditDialog({ environment, segment, initialFilters = [], onClose }: EditDialogProps) {
  const { data: namesAnswer } = useQuery(namesQuery(environment));
  // Whoever comes with other filters has another segment in mind.
  const subject = segment ? `segment ${segment.id}` : ["segment new", environment, ...initialFilters.map(filterToText)].join(" ");
  const work = useWork({ subject, savedValue: draftOf(segment, initialFilters), isNew: segment === undefined });
  const { name, filters } = work.value;
  const updateDraft = (change: Partial<SegmentDraft>) => work.change((draft) => ({ ...draft, ...change }));
  const [isFilterMissing, setFilterMissing] = useState(false);
  const save = useSave(environment, segment, work, onClose);
  const submit = () => {
    setFilterMissing(filters.length === 0);
    if (filters.length > 0) save.mutate({ name: name.trim(), filters });
  };
  const names = { environment, areKnown: namesAnswer !== undefined, events: namesAnswer?.events ?? [], properties: namesAnswer?.properties ?? [], groupKeys: [], segments: [], sources: [] };
  const { errorByField, otherError } = errorsAbout(save.error, { name: "Name" });
  return (
    <WorkDialog
      work={work}
      noun="segment"
      title={segment ? "Edit segment" : "New segment"}
      width={560}
      description={segment ? "Widgets and alerts that use it update immediately." : `For widgets and alerts in ${environment}.`}
      submit={segment ? "Save" : "Create segment"}
      busy={save.isPending}
      error={otherError ?? (isFilterMissing && filters.length === 0 ? "Add at least one filter, e.g. “plan is pro”." : null)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={120} autoComplete="off" value={name} onChange={(text) => updateDraft({ name: text })} error={errorByField.name} />
      <FilterList filters={filters} onChange={(nextFilters) => updateDraft({ filters: nextFilters })} names={names} />
      {filters.length > 0 ? (
        <p className={styles.sentence}>
          <Sentence filters={filters} />
        </p>
      ) : null}
    </WorkDialog>
  );
}

function useSave(environment: string, segment: Segment | undefined, work: Work<SegmentDraft>, onSaved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (fields: SegmentDraft) => {
      if (!segment) return createSegment({ environment, ...fields });
      await work.checkSaved(async () => draftOf(entryWithId(await queryClient.query({ ...segmentsQuery, ...NOW }), segment.id)));
      return changeSegment(segment.id, fields);
    },
    onSuccess: async ({ name }) => {
      work.finish();
      await forgetAnswers(queryClient);
      toast({ text: segment ? `Saved “${name}”` : `Created “${name}”` });
      onSaved();
    },
  });
}
