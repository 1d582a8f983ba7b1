"""The rules of members: a workspace always has an owner, and removal is immediate (rules/people#members)."""

from collections.abc import Sequence

import msgspec

from tallyroom.auth.audit import Action, record
from tallyroom.auth.granting import find_granting_role, grantable_roles, refuse_role_above
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Membership
from tallyroom.workspaces.members import repository
from tallyroom.workspaces.members.repository import Member


class RoleIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change of a member's role."""

    role: Role


class MemberOut(msgspec.Struct, rename="camel"):
    """A member: `id` is the user's, `joinedAt` is ISO 8601."""

    id: str
    email: str
    name: str
    role: Role
    joined_at: str


class MembersOut(msgspec.Struct, rename="camel"):
    """All members of the workspace, in the order in which they joined."""

    members: list[MemberOut]


async def list_members(db: Session, workspace_id: str) -> list[MemberOut]:
    """List the workspace's members in the order in which they joined."""
    return [_build_member_out(member) for member in await repository.list_members(db, workspace_id)]


async def change_role(
    db: Session, principal: MemberPrincipal, user_id: str, role: Role, clock: Clock, id_generator: IdGenerator
) -> MemberOut:
    """Change a member's role, which takes effect with their next request.

    Invitations to roles that they may no longer grant are withdrawn: otherwise they could regain their role. Raises
    `Forbidden`, `NotFound`, and `Conflict` for the last owner.
    """
    own_role = await find_granting_role(db, principal)
    member = await _find_member(db, principal.workspace_id, user_id)
    previous_role = Role(member.membership.role)
    refuse_role_above(own_role, previous_role)
    refuse_role_above(own_role, role)
    if role is previous_role:
        return _build_member_out(member)
    await _refuse_last_owner(db, member.membership)
    member.membership.role = role
    details = {"email": member.user.email, "from": previous_role, "to": role}
    await record(db, principal, Action.MEMBER_ROLE, user_id, details, clock=clock, id_generator=id_generator)
    await _withdraw_invites(db, principal, member, grantable_roles(role), clock, id_generator)
    return _build_member_out(member)


async def remove_member(
    db: Session, principal: MemberPrincipal, user_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Remove a member from the workspace, or leave it; their sessions there end with this transaction.

    Their open invitations are withdrawn, because they could come back through one; their account and keys remain.
    Raises `Forbidden`, `NotFound`, and `Conflict` for the last owner.
    """
    own_role = None if user_id == principal.user_id else await find_granting_role(db, principal)
    member = await _find_member(db, principal.workspace_id, user_id)
    if own_role is not None:
        refuse_role_above(own_role, Role(member.membership.role))
    await _refuse_last_owner(db, member.membership)
    details = {"email": member.user.email, "role": member.membership.role}
    await repository.remove_member(db, member.membership)
    await record(db, principal, Action.MEMBER_REMOVE, user_id, details, clock=clock, id_generator=id_generator)
    await _withdraw_invites(db, principal, member, [], clock, id_generator)


async def _withdraw_invites(
    db: Session,
    principal: MemberPrincipal,
    member: Member,
    kept_roles: Sequence[Role],
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    for invite in await repository.delete_invites(db, member.membership, kept_roles=kept_roles):
        if invite.expires_at_ms > clock.now_ms():
            details = {"email": invite.email, "role": invite.role}
            await record(
                db, principal, Action.INVITE_WITHDRAW, invite.id, details, clock=clock, id_generator=id_generator
            )


async def _find_member(db: Session, workspace_id: str, user_id: str) -> Member:
    member = await repository.find_member(db, workspace_id, user_id)
    if member is None:
        raise NotFound("This workspace has no such member.")
    return member


async def _refuse_last_owner(db: Session, membership: Membership) -> None:
    if membership.role == Role.OWNER and await repository.count_owners(db, membership.workspace_id) == 1:
        raise Conflict("This is the only owner. Make someone else an owner first.")


def _build_member_out(member: Member) -> MemberOut:
    user, membership = member
    return MemberOut(user.id, user.email, user.name, Role(membership.role), iso_ms(membership.joined_at_ms))
