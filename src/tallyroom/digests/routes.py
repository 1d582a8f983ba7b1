"""GET and POST /v1/digests, PATCH and DELETE /v1/digests/:id; to send one now, to see it, and what became of it."""

from typing import Annotated

from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody, QueryParameter

from tallyroom.auth.guards import require_developer, require_member, require_member_or_key
from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.digests import service
from tallyroom.digests.mailer import DigestMailer
from tallyroom.digests.preview import build_preview
from tallyroom.digests.preview_page import frame_digest
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.digests.schemas import (
    DigestChange,
    DigestIn,
    DigestOut,
    DigestPreviewOut,
    DigestsOut,
    SendingOut,
    SendingsOut,
)
from tallyroom.rest.injected import Injected
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.limits.limits import RateLimit
from tallyroom.storage.metadata.connection import Database, Session

DashboardId = Annotated[str | None, QueryParameter(name="dashboardId", description="All dashboards by default.")]


@get("/", guards=[require_member_or_key])
async def list_digests(
    db: Injected[Session],
    principal_or_key: Injected[KeyPrincipal | MemberPrincipal],
    dashboard_id: DashboardId = None,
) -> DigestsOut:
    """The digests, oldest first; an API key sees the digests of its environment, with masked addresses."""
    return DigestsOut(await service.list_digests(db, principal_or_key, dashboard_id))


@post("/", guards=[require_developer], status_code=201)
async def create_digest(
    data: JSONBody[DigestIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> DigestOut:
    """Email a dashboard to up to 20 addresses on a schedule."""
    return await service.create_digest(db, principal, data, clock, ids)


@patch("/{digest_id:str}", guards=[require_developer])
async def change_digest(
    digest_id: FromPath[str],
    data: JSONBody[DigestChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> DigestOut:
    """Change a digest; `recipients` replaces the whole list, and resubscribes anyone in it who had unsubscribed."""
    return await service.change_digest(db, principal, digest_id, data, clock, ids)


@delete("/{digest_id:str}", guards=[require_developer], status_code=204)
async def delete_digest(
    digest_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Delete a digest."""
    await service.delete_digest(db, principal, digest_id, clock, ids)


@post("/{digest_id:str}/send", guards=[require_developer], status_code=202)
async def send_digest(
    digest_id: FromPath[str],
    database: Injected[Database],
    principal: Injected[MemberPrincipal],
    digest_mailer: Injected[DigestMailer],
    digest_requests: Injected[RateLimit],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> SendingOut:
    """Send a digest now, even if it is not enabled; the response does not wait for the emails to be sent."""
    await digest_requests.admit(principal.workspace_id)
    async with database.session(write=True) as db:  # its own, so that nothing is sent before the commit
        await recheck_role(db, principal, clock, Role.DEVELOPER)
        sending = await service.request_sending(db, principal, digest_id, clock, ids)
    digest_mailer.send_soon()
    return sending


@get("/{digest_id:str}/sendings", guards=[require_member])
async def list_sendings(
    digest_id: FromPath[str], db: Injected[Session], principal: Injected[MemberPrincipal]
) -> SendingsOut:
    """The 50 most recent times that a digest was sent, with the status of each email."""
    return SendingsOut(await service.list_sendings(db, principal, digest_id))


@get("/{digest_id:str}/preview", guards=[require_member])
async def preview_digest(
    digest_id: FromPath[str],
    database: Injected[Database],
    principal: Injected[MemberPrincipal],
    digest_renderer: Injected[DigestRenderer],
    reader: Injected[EventReader],
    settings: Injected[Settings],
    clock: Injected[Clock],
) -> DigestPreviewOut:
    """The email as it would be sent now, with its pictures as `data:` URLs in the HTML."""
    async with database.session(write=False) as db:
        await service.check_digest_visible(db, principal, digest_id)
    return await build_preview(digest_renderer, reader, digest_id, clock, settings.public_url)


routes = Router(
    path="/v1/digests",
    route_handlers=[
        list_digests,
        create_digest,
        change_digest,
        delete_digest,
        send_digest,
        list_sendings,
        preview_digest,
        frame_digest,
    ],
    opt=TAKES_TOKENS,
    tags=["digests"],
)
