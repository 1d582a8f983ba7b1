"""GET and POST /v1/invites, DELETE /v1/invites/:id, POST /v1/invites/accept."""

from typing import Any

from litestar import Request, Response, Router, delete, get, post
from litestar.params import FromPath, JSONBody

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.caller import caller_of
from tallyroom.auth.cookies import bearer_of
from tallyroom.auth.csrf import refuse_foreign_write
from tallyroom.auth.guards import public, require_admin
from tallyroom.auth.identity import IdentityOut, build_session_response
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.throttle import Throttle
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.mail.outbox import MailOutbox
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.workspaces.invites import service
from tallyroom.workspaces.invites.acceptance import InviteAcceptance
from tallyroom.workspaces.invites.schemas import AcceptanceIn, InviteIn, InvitesOut, NewInviteOut


@get("/", guards=[require_admin])
async def list_invites(
    db: Injected[Session], principal: Injected[MemberPrincipal], clock: Injected[Clock]
) -> InvitesOut:
    """The open invitations of the workspace, newest first, without their tokens."""
    return InvitesOut(await service.list_invites(db, principal.workspace_id, clock))


@post("/", guards=[require_admin], status_code=201)
async def create_invite(
    data: JSONBody[InviteIn],
    database: Injected[Database],
    principal: Injected[MemberPrincipal],
    throttle: Injected[Throttle],
    mails: Injected[MailOutbox],
    settings: Injected[Settings],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> NewInviteOut:
    """Invite an address for seven days. The token is emailed to the address, and only this response has it."""
    await throttle.count_invite(data.email.lower(), principal.user_id)
    async with database.session(write=True) as db:  # its own, so that the mail is sent as soon as it is committed
        invite = await service.create_invite(db, principal, data, clock, ids)
        mail = await service.build_invite_mail(db, principal, invite, settings.public_url)
        await mails.enqueue(db, mail.to, mail.subject, mail.text)
    mails.send_soon()
    return invite


@delete("/{invite_id:str}", guards=[require_admin], status_code=204)
async def withdraw_invite(
    invite_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Withdraw an open invitation: its token stops working."""
    await service.withdraw_invite(db, principal, invite_id, clock, ids)


@post("/accept", guards=[public], status_code=201)
async def accept_invite(
    request: Request[Any, Any, Any],
    data: JSONBody[AcceptanceIn],
    authenticator: Injected[Authenticator],
    throttle: Injected[Throttle],
    settings: Injected[Settings],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> Response[IdentityOut]:
    """Accept an invitation: signed in with the invited address, or with `name` and `password` for a new account.

    A new account is signed in, as after sign-up. A session continues in the joined workspace.
    """
    acceptance = InviteAcceptance(authenticator, throttle, clock, ids)
    refuse_foreign_write(request, settings.base_url)
    caller = caller_of(request, settings)
    principal = await _find_signed_in(request, authenticator)
    if principal is not None:
        return Response(await acceptance.join_as_signed_in(data, caller, principal), status_code=201)
    cookies = authenticator.cookies
    return build_session_response(
        await acceptance.join_as_newcomer(data, caller, cookies.read_tokens_by_cookie(request).values()), 201, cookies
    )


routes = Router(
    path="/v1/invites", route_handlers=[list_invites, create_invite, withdraw_invite, accept_invite], tags=["invites"]
)


async def _find_signed_in(request: Request[Any, Any, Any], authenticator: Authenticator) -> MemberPrincipal | None:
    """Return the signed-in person. A token in the header must be valid; a cookie may be of a session that has ended."""
    return await (
        authenticator.find_principal_by_cookie(request)
        if bearer_of(request) is None
        else authenticator.authenticate_session(request)
    )
