import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { errorInLine } from "../api/words.ts";
import { ConfirmDialog, type ConfirmDialogProps } from "../ui/Dialog/ConfirmDialog.tsx";
import { toast } from "../ui/Toast/toast.ts";

export interface RemovalDialogProps extends Omit<ConfirmDialogProps, "busy" | "error" | "onConfirm"> {
  /** The query that has the list. */
  list: QueryKey;
  /** Of what leaves the list. */
  id: string;
  remove: (id: string) => Promise<unknown>;
  /** What is said once it is gone. */
  message: string;
}

/** Ask before something on a list is deleted or revoked; then it is gone from the list, and a message says so. */
export function RemovalDialog({ list, id, remove, message, ...question }: RemovalDialogProps) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => remove(id),
    onSuccess: () => {
      queryClient.setQueryData<{ id: string }[]>(list, (all) => all?.filter((row) => row.id !== id));
      void queryClient.invalidateQueries({ queryKey: list });
      toast({ text: message });
      question.onClose();
    },
  });
  return <ConfirmDialog {...question} busy={isPending} error={error ? errorInLine(error) : null} onConfirm={() => mutate()} />;
}
