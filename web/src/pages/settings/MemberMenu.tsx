import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LogOut, UserMinus } from "lucide-react";
import { useState } from "react";
import { type Member, membersQuery, removeMember } from "../../api/members.ts";
import { errorInLine } from "../../api/words.ts";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** Take somebody out of the workspace, or leave it. */
export function MemberMenu({ member: { id, name, email }, isYou }: { member: Member; isYou: boolean }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeMember(id),
    onSuccess: async () => {
      if (isYou) {
        // A new page, so that nothing of the workspace stays in memory.
        window.location.assign("/");
        return;
      }
      setIsConfirming(false);
      await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
      toast({ text: `Removed ${name}.` });
    },
  });
  const menuItem = { label: isYou ? "Leave workspace" : "Remove", icon: isYou ? LogOut : UserMinus, danger: true, onSelect: () => setIsConfirming(true) };
  return (
    <>
      <Menu label={`${name} menu`} items={[menuItem]} />
      {isConfirming ? (
        <ConfirmDialog
          title={isYou ? "Leave this workspace" : `Remove ${name}`}
          detail={
            isYou
              ? "Your session ends, and your personal access tokens for this workspace are deleted. To come back, you need an invitation."
              : `${email} loses access immediately. Their open invitations and personal access tokens are deleted. Their API keys keep working.`
          }
          confirm={isYou ? "Leave" : "Remove"}
          busy={isPending}
          error={error ? errorInLine(error) : null}
          onConfirm={() => mutate()}
          onClose={() => setIsConfirming(false)}
        />
      ) : null}
    </>
  );
}
