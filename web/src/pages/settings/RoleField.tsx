import { useMutation, useQueryClient } from "@tanstack/react-query";
import { identityQuery } from "../../api/auth.ts";
import { type Member, changeRole, membersQuery } from "../../api/members.ts";
import { type Role, mayAct } from "../../core/roles.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { grantableRoles } from "./people.ts";

/** A member's role; whoever may grant it can change it at once. */
export function RoleField({ member, ownRole }: { member: Member; ownRole: Role }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (role: Role) => changeRole(member.id, role),
    onSuccess: async ({ name, role }) => {
      await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: identityQuery.queryKey });
      toast({ text: `${name} is now ${role}.` });
    },
    onError: sayFailure,
  });
  if (!mayAct(ownRole, "admin") || !mayAct(ownRole, member.role)) return <span>{member.role}</span>;
  return (
    <SelectField
      label={`Role of ${member.name}`}
      hideLabel
      small
      value={isPending ? variables : member.role}
      onChange={(role) => mutate(role as Role)}
      options={grantableRoles(ownRole).map((value) => ({ value, label: value }))}
    />
  );
}
