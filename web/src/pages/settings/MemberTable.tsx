import { useMutation, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { identityQuery } from "../../api/auth.ts";
import { type Invite, invitesQuery, withdrawInvite } from "../../api/invites.ts";
import { type Member, changeRole, membersQuery } from "../../api/members.ts";
import { type Role, mayAct } from "../../core/roles.ts";
import { formatAgo, formatDate } from "../../core/time.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { Avatar } from "../../ui/Badge/Avatar.tsx";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import styles from "./MemberTable.module.css";
import { MemberMenu } from "./MemberMenu.tsx";
import { type Person, grantableRoles } from "./people.ts";
import { useIdentity } from "./useIdentity.ts";

/** Who belongs to the workspace and since when, with the role of each and what can be done about it. */
export function MemberTable({ people, timezone }: { people: readonly Person[]; timezone: string }) {
  const { user, role } = useIdentity();
  const isAdmin = mayAct(role, "admin");
  const columns: Column<Person>[] = [
    { key: "name", label: "Name", width: "100%", render: (person) => <PersonCell person={person} isYou={person.id === user.id} /> },
    { key: "since", label: "Since", align: "end", hideBelow: 900, render: (person) => <JoinedCell person={person} timezone={timezone} /> },
    {
      key: "role",
      label: "Role",
      align: "end",
      render: (person) => (
        <div className={styles.role}>
          {person.kind === "member" ? <RoleField member={person.member} ownRole={role} /> : person.role}
        </div>
      ),
    },
    {
      key: "menu",
      label: "Actions",
      hideLabel: true,
      align: "end",
      width: 56,
      render: (person) =>
        person.kind === "invite" ? (
          <WithdrawButton invite={person.invite} ownRole={role} />
        ) : person.id === user.id || (isAdmin && mayAct(role, person.role)) ? (
          <MemberMenu member={person.member} isYou={person.id === user.id} />
        ) : null,
    },
  ];
  return <Table label="Members" columns={columns} rows={people} rowKey={({ kind, id }) => `${kind} ${id}`} />;
}

function PersonCell({ person, isYou }: { person: Person; isYou: boolean }) {
  const name = person.kind === "member" ? person.member.name : "Invited";
  return (
    <div className={styles.who}>
      <Avatar name={person.kind === "member" ? name : "··"} />
      <div className={styles.words}>
        <p className={styles.name} data-invited={person.kind === "invite" || undefined}>
          {name}
          {isYou ? <span className={styles.you}> you</span> : null}
        </p>
        <p className={styles.email} title={person.email}>
          {person.email}
        </p>
      </div>
    </div>
  );
}

function JoinedCell({ person, timezone }: { person: Person; timezone: string }) {
  const dateText = person.kind === "member" ? `since ${formatDate(person.member.joinedAt, timezone)}` : `expires ${formatAgo(person.invite.expiresAt)}`;
  return <span className={styles.since}>{dateText}</span>;
}

/** Take an invitation back: its link stops working. */
function WithdrawButton({ invite: { id, email, role }, ownRole }: { invite: Invite; ownRole: Role }) {
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
  return <IconButton label={`Withdraw invitation for ${email}`} icon={X} small disabled={isPending} onClick={() => mutate()} />;
}

/** A member's role; those who may grant it can change it at once. */
function RoleField({ member, ownRole }: { member: Member; ownRole: Role }) {
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
