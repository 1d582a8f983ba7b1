import { useMutation, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type Invite, invitesQuery, withdrawInvite } from "../../api/invites.ts";
import { type Role, mayAct } from "../../core/roles.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** Take an invitation back: its link leads nowhere from then on. */
export function WithdrawButton({ invite: { id, email, role }, ownRole }: { invite: Invite; ownRole: Role }) {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => withdrawInvite(id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: invitesQuery.queryKey });
      toast({ text: `${email} is no longer invited.` });
    },
    onError: sayFailure,
  });
  if (!mayAct(ownRole, role)) return null;
  return <IconButton label={`Withdraw invitation of ${email}`} icon={X} small disabled={isPending} onClick={() => mutate()} />;
}
