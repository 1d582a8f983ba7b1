import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type Annotation, type AnnotationFields, annotationsQuery, changeAnnotation, createAnnotation, deleteAnnotation, restoreAnnotation,
} from "../api/annotations.ts";
import { entryWithId } from "../api/entries.ts";
import { NOW } from "../api/queries.ts";
import type { Work } from "../scope/work/useWork.ts";
import { toast } from "../ui/Toast/toast.ts";
import { type AnnotationDraft, draftOfAnnotation } from "./annotationDraft.ts";

/** What somebody does with an annotation, in the zone of its times. */
export interface AnnotationWork {
  work: Work<AnnotationDraft>;
  timezone: string;
}

/** Save an annotation of an environment: one that exists as a change, any other as a new one. */
export function useSaveAnnotation(environment: string, annotation: Annotation | undefined, onSaved: () => void, { work, timezone }: AnnotationWork) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (fields: Omit<AnnotationFields, "environment">) => {
      if (!annotation) return createAnnotation({ environment, ...fields });
      await work.checkSaved(async () =>
        draftOfAnnotation(entryWithId(await queryClient.query({ ...annotationsQuery(environment), ...NOW }), annotation.id), timezone),
      );
      return changeAnnotation(annotation.id, fields);
    },
    onSuccess: async ({ label }) => {
      work.finish();
      await queryClient.invalidateQueries({ queryKey: annotationsQuery(environment).queryKey });
      toast({ text: annotation ? `Saved “${label}”` : `Annotated “${label}”` });
      onSaved();
    },
  });
}

/** Delete an annotation at once; the message that says so can bring it back. */
export function useDeleteAnnotation(onDeleted: () => void) {
  const queryClient = useQueryClient();
  const refresh = (environment: string) => queryClient.invalidateQueries({ queryKey: annotationsQuery(environment).queryKey });
  const restore = useMutation({
    mutationFn: restoreAnnotation,
    onSuccess: ({ environment }) => refresh(environment),
    onError: () => toast({ text: "Couldn't restore it.", tone: "error" }),
  });
  return useMutation({
    mutationFn: ({ id }: Annotation) => deleteAnnotation(id),
    onSuccess: async (_, annotation) => {
      queryClient.setQueryData(annotationsQuery(annotation.environment).queryKey, (annotations) =>
        annotations?.filter(({ id }) => id !== annotation.id),
      );
      toast({ text: `Deleted “${annotation.label}”`, action: { label: "Undo", onAct: () => restore.mutate(annotation) } });
      onDeleted();
      await refresh(annotation.environment);
    },
  });
}
