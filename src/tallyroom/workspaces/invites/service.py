"""Inviting: who may invite to which role; one open invitation per address, for seven days (rules/people#invitation)."""

import msgspec

from tallyroom.auth.audit import Action, record
from tallyroom.auth.granting import find_granting_role, refuse_role_above
from tallyroom.auth.identity import identity_of
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.repository import find_membership, find_user_by_email
from tallyroom.auth.roles import Role
from tallyroom.auth.secrets import INVITE_PREFIX, hash_secret, mint_token
from tallyroom.core.clock import Clock
from tallyroom.core.email_address import check_email_address
from tallyroom.core.errors import Conflict, NotFound
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms
from tallyroom.mail.message import MailMessage
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Invite
from tallyroom.workspaces.invites import repository
from tallyroom.workspaces.invites.schemas import InviteIn, InviteOut, NewInviteOut

INVITE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

# No name in the subject: anyone who may invite could send any headline to anyone.
_INVITE_MAIL_TEMPLATE = """\
{name} ({email}) has invited you to the workspace "{workspace}" on Tallyroom.
Your role there: {role}.

Accept within seven days:

{link}

If you did not expect this email, you can ignore it.
"""


async def list_invites(db: Session, workspace_id: str, clock: Clock) -> list[InviteOut]:
    """List the workspace's open invitations, newest first."""
    return [_build_invite_out(invite) for invite in await repository.list_invites(db, workspace_id, clock.now_ms())]


async def create_invite(
    db: Session, principal: MemberPrincipal, body: InviteIn, clock: Clock, id_generator: IdGenerator
) -> NewInviteOut:
    """Invite an address, and replace its open invitation, so that only the newest link works.

    Raises `ValidationFailed` for the address, `Forbidden` for the role, and `Conflict` for a member's address.
    """
    check_email_address(body.email, "email")
    own_role = await find_granting_role(db, principal)
    refuse_role_above(own_role, body.role)
    email = body.email.lower()
    await _refuse_member_address(db, principal.workspace_id, email)
    if open_invite := await repository.find_invite_by_email(db, principal.workspace_id, email, clock.now_ms()):
        await _delete_and_record(db, own_role, principal, open_invite, clock, id_generator)
    token = mint_token(id_generator, INVITE_PREFIX)
    now_ms = clock.now_ms()
    invite = Invite(
        id=id_generator.new(),
        workspace_id=principal.workspace_id,
        email=email,
        role=body.role,
        token_hash=hash_secret(token),
        created_at_ms=now_ms,
        created_by=principal.user_id,
        expires_at_ms=now_ms + INVITE_LIFETIME_MS,
    )
    await repository.add_invite(db, invite)
    details = {"email": email, "role": body.role}
    await record(db, principal, Action.INVITE_CREATE, invite.id, details, clock=clock, id_generator=id_generator)
    return NewInviteOut(**msgspec.structs.asdict(_build_invite_out(invite)), token=token)


async def build_invite_mail(
    db: Session, principal: MemberPrincipal, invite: NewInviteOut, public_url: str
) -> MailMessage:
    """Return the mail with the token of an invitation; `public_url` is the base of its link."""
    inviter = await identity_of(db, principal.user_id, principal.workspace_id)
    text = _INVITE_MAIL_TEMPLATE.format(
        name=inviter.user.name,
        email=inviter.user.email,
        workspace=inviter.workspace.name,
        role=invite.role,
        link=f"{public_url}/invite?token={invite.token}",
    )
    return MailMessage(invite.email, "An invitation to Tallyroom", text)


async def withdraw_invite(
    db: Session, principal: MemberPrincipal, invite_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Withdraw an open invitation; raises `Forbidden` if its role is above the principal's, and `NotFound`."""
    own_role = await find_granting_role(db, principal)
    invite = await repository.find_invite(db, principal.workspace_id, invite_id, clock.now_ms())
    if invite is None:
        raise NotFound("This workspace has no such invitation.")
    await _delete_and_record(db, own_role, principal, invite, clock, id_generator)


async def _refuse_member_address(db: Session, workspace_id: str, email: str) -> None:
    user = await find_user_by_email(db, email)
    if user is not None and await find_membership(db, user.id, workspace_id) is not None:
        raise Conflict("This address already belongs to a member.")


async def _delete_and_record(
    db: Session, own_role: Role, principal: MemberPrincipal, invite: Invite, clock: Clock, id_generator: IdGenerator
) -> None:
    refuse_role_above(own_role, Role(invite.role))
    await repository.delete_invite(db, invite)
    details = {"email": invite.email, "role": invite.role}
    await record(db, principal, Action.INVITE_WITHDRAW, invite.id, details, clock=clock, id_generator=id_generator)


def _build_invite_out(invite: Invite) -> InviteOut:
    return InviteOut(
        id=invite.id,
        email=invite.email,
        role=Role(invite.role),
        created_at=iso_ms(invite.created_at_ms),
        created_by=invite.created_by,
        expires_at=iso_ms(invite.expires_at_ms),
    )
