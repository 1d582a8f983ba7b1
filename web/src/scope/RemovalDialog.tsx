import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { errorInLine } from "../api/words.ts";
import { ConfirmDialog, type ConfirmDialogProps } from "../ui/Dialog/ConfirmDialog.tsx";
import { toast } from "../ui/Toast/toast.ts";

export interface RemovalDialogProps extends Omit<ConfirmDialogProps, "busy" | "error" | "onConfirm"> {
  /** The query that has the list. */
  listKey: QueryKey;
  /** Of what leaves the list. */
  id: string;
  remove: (id: string) => Promise<unknown>;
  /** What is said once it is gone. */
  message: string;
}

/** Ask before something on a list is deleted or revoked; then it is gone from the list, and a message says so. */
export function RemovalDialog({ listKey, id, remove, message, ...dialogProps }: RemovalDialogProps) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => remove(id),
    onSuccess: () => {
      queryClient.setQueryData<{ id: string }[]>(listKey, (rows) => rows?.filter((row) => row.id !== id));
      void queryClient.invalidateQueries({ queryKey: listKey });
      toast({ text: message });
      dialogProps.onClose();
    },
  });
  return <ConfirmDialog {...dialogProps} busy={isPending} error={error ? errorInLine(error) : null} onConfirm={() => mutate()} />;
}
