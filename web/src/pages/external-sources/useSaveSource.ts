import { useMutation, useQueryClient } from "@tanstack/react-query";
import { entryWithId } from "../../api/entries.ts";
import { type ExternalSource, changeExternalSource, createExternalSource, externalSourcesQuery } from "../../api/externalSources.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { NOW } from "../../api/queries.ts";
import type { Work } from "../../scope/work/useWork.ts";
import { toast } from "../../ui/Toast/toast.ts";
import { type SourceDraft, draftOf } from "./sourceDraft.ts";

/** What a form says about a source; what is absent stays as it is. */
export interface SourceFields {
  name?: string;
  host?: string;
  headerName?: string | null;
  token?: string;
}

/** Save a source: one that exists as a change, any other as a new one. A new token alone is no work to check. */
export function useSaveSource(source: ExternalSource | undefined, onSaved: () => void, work?: Work<SourceDraft>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ name = "", host = "", ...rest }: SourceFields) => {
      if (!source) return createExternalSource({ name, host, ...rest });
      await work?.checkSaved(async () => draftOf(entryWithId(await queryClient.query({ ...externalSourcesQuery, ...NOW }), source.id)));
      return changeExternalSource(source.id, { ...rest, ...(name ? { name } : {}), ...(host ? { host } : {}) });
    },
    // The token is gone from memory with the form.
    gcTime: 0,
    onSuccess: async ({ name }) => {
      work?.finish();
      await forgetAnswers(queryClient);
      toast({ text: source ? `Saved “${name}”` : `Added “${name}”` });
      onSaved();
    },
  });
}
