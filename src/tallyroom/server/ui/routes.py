"""The page at `/` without the web app, and the pages of public dashboards at `/p/:slug`."""

from typing import Any
from urllib.parse import quote

from litestar import MediaType, Request, Response, get
from litestar.params import FromPath

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.guards import public
from tallyroom.auth.look_ups import has_any_user
from tallyroom.core.settings import Settings
from tallyroom.core.version import running_version
from tallyroom.rest.injected import Injected
from tallyroom.server.ui.page import CSP, Visitor, build_home_page
from tallyroom.server.ui.public_view import PublishedPages
from tallyroom.server.ui.steps import Stage
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.spool.queue import Spool

_HEADERS = {"content-security-policy": CSP}


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
    visitor = await _find_signed_in_visitor(request, authenticator)
    page = build_home_page(base_url, running_version(), await _find_stage(database, spool), visitor)
    return Response(page, media_type=MediaType.HTML, headers=_HEADERS)


@get("/p/{slug:str}", guards=[public], include_in_schema=False)
async def show_published(
    request: Request[Any, Any, Any],
    slug: FromPath[str],
    settings: Injected[Settings],
    published_pages: Injected[PublishedPages],
) -> Response[bytes]:
    """Show a public dashboard to a browser; with `embed=1`, also in frames of other pages."""
    base_url = (settings.base_url or str(request.base_url)).rstrip("/")
    may_be_framed = request.query_params.get("embed") == "1"
    answer = await published_pages.answer(slug, base_url, list(request.scope["headers"]), may_be_framed=may_be_framed)
    headers = {name.decode(): value.decode() for name, value in answer.headers}
    return Response(answer.body, status_code=answer.status, headers=headers, media_type=MediaType.HTML)


@get("/public/{slug:str}", guards=[public], include_in_schema=False)
async def redirect_to_published(request: Request[Any, Any, Any], slug: FromPath[str]) -> Response[bytes]:
    """Lead to the page of a public dashboard from an address that people guess."""
    query = request.scope["query_string"].decode("latin-1")
    location = f"/p/{quote(slug, safe='')}" + (f"?{query}" if query else "")
    return Response(b"", status_code=308, headers={"location": location, "x-robots-tag": "noindex"})


async def _find_stage(database: Database, spool: Spool) -> Stage:
    if not await has_any_user(database):
        return Stage.NOBODY
    return Stage.EVENTS if spool.acked_count else Stage.NO_EVENT


async def _find_signed_in_visitor(request: Request[Any, Any, Any], authenticator: Authenticator) -> Visitor | None:
    """Return who is signed in by cookie, or None: others see the page as well."""
    principal = await authenticator.find_principal_by_cookie(request)
    if principal is None:
        return None
    return await find_visitor(authenticator.database, principal.user_id, principal.workspace_id)


routes = [home, show_published, redirect_to_published]


_FIND_VISITOR = """
    SELECT users.name, workspaces.name FROM users, workspaces WHERE users.id = ? AND workspaces.id = ?
"""


async def find_visitor(database: Database, user_id: str, workspace_id: str) -> Visitor | None:
    """Return the names of a signed-in person and of their workspace."""
    row = await database.look_up(_FIND_VISITOR, user_id, workspace_id)
    return None if row is None else Visitor(*row)
