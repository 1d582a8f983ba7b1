import type { Invite } from "../../api/invites.ts";
import type { Member } from "../../api/members.ts";
import { ROLES, type Role } from "../../core/roles.ts";

/** Somebody in the list: a member, or an address that is invited. */
export type Person = { kind: "member"; id: string; email: string; role: Role; member: Member } | { kind: "invite"; id: string; email: string; role: Role; invite: Invite };

/** Return members in the order in which they joined, then those who are invited. */
export function peopleOf(members: readonly Member[], invites: readonly Invite[]): Person[] {
  return [
    ...members.map((member): Person => ({ kind: "member", id: member.id, email: member.email, role: member.role, member })),
    ...invites.map((invite): Person => ({ kind: "invite", id: invite.id, email: invite.email, role: invite.role, invite })),
  ];
}

/** Return the people whose name or address contains what was typed. */
export function matchingPeople(people: readonly Person[], search: string): readonly Person[] {
  const searchText = search.trim().toLowerCase();
  if (searchText === "") return people;
  return people.filter((person) => {
    const name = person.kind === "member" ? person.member.name : "";
    return `${name} ${person.email}`.toLowerCase().includes(searchText);
  });
}

/** Return the roles that somebody may give: none above their own. */
export function grantableRoles(ownRole: Role): readonly Role[] {
  return ROLES.filter((role) => ROLES.indexOf(role) <= ROLES.indexOf(ownRole));
}
