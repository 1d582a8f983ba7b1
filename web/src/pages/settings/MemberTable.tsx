import { formatAgo, formatDate } from "../../core/time.ts";
import { mayAct } from "../../core/roles.ts";
import { Avatar } from "../../ui/Badge/Avatar.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import styles from "./MemberTable.module.css";
import { MemberMenu } from "./MemberMenu.tsx";
import type { Person } from "./people.ts";
import { RoleField } from "./RoleField.tsx";
import { useIdentity } from "./useIdentity.ts";
import { WithdrawButton } from "./WithdrawButton.tsx";

export interface MemberTableProps {
  people: readonly Person[];
  timezone: string;
}

/** Who belongs to the workspace and since when, with the role of each and what can be done about it. */
export function MemberTable({ people, timezone }: MemberTableProps) {
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
