import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ExternalSource, changeExternalSource, createExternalSource } from "../../api/externalSources.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { toast } from "../../ui/Toast/toast.ts";

/** What a form says about a source; what is absent stays as it is. */
export interface SourceFields {
  name?: string;
  host?: string;
  headerName?: string | null;
  token?: string;
}

/** Save a source: one that exists as a change, any other as a new one. */
export function useSaveSource(source: ExternalSource | undefined, onSaved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name = "", host = "", ...rest }: SourceFields) =>
      source
        ? changeExternalSource(source.id, { ...rest, ...(name ? { name } : {}), ...(host ? { host } : {}) })
        : createExternalSource({ name, host, ...rest }),
    // The token is gone from memory with the form.
    gcTime: 0,
    onSuccess: async ({ name }) => {
      await forgetAnswers(queryClient);
      toast({ text: source ? `Saved “${name}”` : `Added “${name}”` });
      onSaved();
    },
  });
}
