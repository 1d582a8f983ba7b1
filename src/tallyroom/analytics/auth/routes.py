"""POST /v1/auth/signup, /login, /logout and GET /v1/auth/me."""

from typing import Any

from litestar import Request, Response, Router, get, post
from litestar.datastructures import State
from litestar.di import Provide
from litestar.params import JSONBody

from tallyroom.analytics.auth.schemas import IdentityOut, LoginIn, SignupIn
from tallyroom.analytics.auth.service import Accounts, SignedIn, identity_of
from tallyroom.analytics.injected import Injected
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import bearer_of, cookie_of, no_cookie, session_cookie
from tallyroom.auth.csrf import refuse_foreign_write
from tallyroom.auth.guards import public, require_session
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.ids import Ids
from tallyroom.core.settings import Settings
from tallyroom.db.connection import Session

AnyRequest = Request[Any, Any, Any]

SESSION_HEADER = "x-session-token"


def provide_accounts(state: State, clock: Injected[Clock], ids: Injected[Ids]) -> Accounts:
    """The dependency `accounts`."""
    authenticator: Authenticator = state.authenticator
    return Accounts(authenticator, clock, ids)


@post("/signup", guards=[public], status_code=201)
async def signup(
    request: AnyRequest, data: JSONBody[SignupIn], accounts: Injected[Accounts], settings: Injected[Settings]
) -> Response[IdentityOut]:
    """Sign up: open for the first user, for everybody when the server says so."""
    refuse_foreign_write(request, settings.base_url)
    return _signed_in(await accounts.sign_up(data, _held_token(request, settings)), 201, settings)


@post("/login", guards=[public], status_code=200)
async def login(
    request: AnyRequest, data: JSONBody[LoginIn], accounts: Injected[Accounts], settings: Injected[Settings]
) -> Response[IdentityOut]:
    """Sign in. The token is in the cookie, and in `X-Session-Token` for scripts."""
    refuse_foreign_write(request, settings.base_url)
    return _signed_in(await accounts.log_in(data, _held_token(request, settings)), 200, settings)


@get("/me", guards=[require_session])
async def me(db: Injected[Session], principal: Injected[SessionPrincipal]) -> IdentityOut:
    """Who is signed in, and where."""
    return await identity_of(db, principal.user_id, principal.workspace_id)


@post("/logout", guards=[require_session], status_code=204)
async def logout(
    db: Injected[Session], principal: Injected[SessionPrincipal], state: State, settings: Injected[Settings]
) -> Response[None]:
    """Sign out: the token is worthless from now on."""
    authenticator: Authenticator = state.authenticator
    await authenticator.sessions.end(db, principal.session_hash)
    return Response(None, status_code=204, cookies=[no_cookie(settings)])


routes = Router(
    path="/v1/auth",
    route_handlers=[signup, login, me, logout],
    tags=["auth"],
    dependencies={"accounts": Provide(provide_accounts, sync_to_thread=False)},
)


def _signed_in(new: SignedIn, status: int, settings: Settings) -> Response[IdentityOut]:
    return Response(
        new.identity,
        status_code=status,
        headers={SESSION_HEADER: new.token, "cache-control": "no-store"},
        cookies=[session_cookie(new.token, settings)],
    )


def _held_token(request: AnyRequest, settings: Settings) -> str | None:
    return bearer_of(request) or cookie_of(request, settings)
