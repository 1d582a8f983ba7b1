"""The page at `/`."""

from typing import Any

from litestar import MediaType, Request, Response, get

from tallyroom import __version__
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import cookie_of
from tallyroom.auth.guards import public
from tallyroom.core.settings import Settings
from tallyroom.db.connection import Database
from tallyroom.rest.injected import Injected
from tallyroom.spool.queue import Spool
from tallyroom.ui.page import CSP, Visitor, home_page
from tallyroom.ui.repository import any_user, visitor_of
from tallyroom.ui.steps import Stage

_HEADERS = {"content-security-policy": CSP, "x-content-type-options": "nosniff", "cache-control": "no-store"}


@get("/", guards=[public], include_in_schema=False)
async def home(
    request: Request[Any, Any, Any],
    settings: Injected[Settings],
    database: Injected[Database],
    spool: Injected[Spool],
    authenticator: Injected[Authenticator],
) -> Response[bytes]:
    """Show that the server runs, how far it has come, and what to do next."""
    base_url = settings.base_url or str(request.base_url)
    visitor = await _visitor(cookie_of(request, settings), authenticator)
    page = home_page(base_url, __version__, _stage(database, spool), visitor)
    return Response(page, media_type=MediaType.HTML, headers=_HEADERS)


def _stage(database: Database, spool: Spool) -> Stage:
    if not any_user(database):
        return Stage.NOBODY
    return Stage.EVENTS if spool.acked else Stage.NO_EVENT


async def _visitor(token: str | None, authenticator: Authenticator) -> Visitor | None:
    """Return who is signed in by cookie, or None: everybody else sees the page as well."""
    principal = await authenticator.sessions.resolve(token) if token else None
    if principal is None:
        return None
    return visitor_of(authenticator.database, principal.user_id, principal.workspace_id)


routes = [home]
