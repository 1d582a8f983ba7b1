"""Everything under /v1/auth, and the links that sign a browser in."""

from collections.abc import Container, Mapping
from typing import Annotated, Any

from litestar import MediaType, Request, Response, Router, delete, get, post
from litestar.di import Provide
from litestar.params import FromPath, JSONBody, QueryParameter

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.caller import caller_of
from tallyroom.auth.cookies import SessionCookies, bearer_of
from tallyroom.auth.csrf import refuse_foreign_link, refuse_foreign_write
from tallyroom.auth.guards import public, require_session
from tallyroom.auth.identity import SESSION_HEADER, IdentityOut, build_session_response, identity_of
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.sign_in.links import choose_own_path, make_link, open_link
from tallyroom.auth.sign_in.passwords import PasswordChanger
from tallyroom.auth.sign_in.reset_requests import ResetRequestQueue
from tallyroom.auth.sign_in.schemas import (
    CurrentWorkspaceIn,
    LoginIn,
    PasswordIn,
    ResetConfirmIn,
    ResetIn,
    SignInLinkOut,
    SignupIn,
    SignupOut,
)
from tallyroom.auth.sign_in.service import Accounts, switch_workspace, who_may_sign_up
from tallyroom.auth.throttle import Throttle
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.core.times import iso_ms
from tallyroom.rest.injected import Injected
from tallyroom.rest.methods import is_head_request
from tallyroom.storage.metadata.connection import Database, Session

AnyRequest = Request[Any, Any, Any]

_REDIRECT_HEADERS = {"referrer-policy": "no-referrer"}

NextParameter = Annotated[str | None, QueryParameter(name="next", description="The page to show afterwards.")]


def provide_accounts(
    authenticator: Injected[Authenticator],
    throttle: Injected[Throttle],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> Accounts:
    """The dependency `accounts`."""
    return Accounts(authenticator, throttle, clock, ids)


@post("/signup", guards=[public], status_code=201)
async def signup(
    request: AnyRequest,
    data: JSONBody[SignupIn],
    accounts: Injected[Accounts],
    session_cookies: Injected[SessionCookies],
    settings: Injected[Settings],
) -> Response[IdentityOut]:
    """Sign up: open to the first user, and to everyone if the server's settings allow it."""
    refuse_foreign_write(request, settings.base_url)
    caller = caller_of(request, settings)
    new_session = await accounts.sign_up(data, caller, _read_tokens(request, session_cookies).values())
    return build_session_response(new_session, 201, session_cookies)


@get("/signup", guards=[public])
async def may_sign_up(database: Injected[Database], settings: Injected[Settings]) -> SignupOut:
    """Who may sign up now: the first user, anyone, or only invited people."""
    return await who_may_sign_up(database, settings)


@post("/login", guards=[public], status_code=200)
async def login(
    request: AnyRequest,
    data: JSONBody[LoginIn],
    accounts: Injected[Accounts],
    session_cookies: Injected[SessionCookies],
    settings: Injected[Settings],
) -> Response[IdentityOut]:
    """Sign in. The token is in the cookie, and in `X-Session-Token` for scripts."""
    refuse_foreign_write(request, settings.base_url)
    caller = caller_of(request, settings)
    new_session = await accounts.log_in(data, caller, _read_tokens(request, session_cookies).values())
    return build_session_response(new_session, 200, session_cookies)


@get("/me", guards=[require_session])
async def me(db: Injected[Session], principal: Injected[MemberPrincipal]) -> IdentityOut:
    """The signed-in user, and their current workspace."""
    return await identity_of(db, principal.user_id, principal.workspace_id)


@post("/workspace", guards=[require_session], status_code=200)
async def switch_to_workspace(
    data: JSONBody[CurrentWorkspaceIn], db: Injected[Session], principal: Injected[MemberPrincipal]
) -> IdentityOut:
    """Switch this session to another of your workspaces. Its token stays the same."""
    return await switch_workspace(db, principal, data.workspace_id)


@post("/logout", guards=[public], status_code=204)
async def logout(
    request: AnyRequest,
    accounts: Injected[Accounts],
    session_cookies: Injected[SessionCookies],
    settings: Injected[Settings],
) -> Response[None]:
    """Sign out. The token stops working, and a browser deletes its cookie."""
    if bearer_of(request) is None:
        refuse_foreign_write(request, settings.base_url)
    tokens_by_cookie = _read_tokens(request, session_cookies)
    ended_tokens = await accounts.log_out(tokens_by_cookie.values())
    return _build_sign_out_response(session_cookies, tokens_by_cookie, ended_tokens)


@delete("/sessions", guards=[require_session], status_code=204)
async def end_sessions(
    request: AnyRequest,
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    accounts: Injected[Accounts],
    session_cookies: Injected[SessionCookies],
) -> Response[None]:
    """Sign out everywhere, including this session. Personal access tokens stay valid."""
    tokens_by_cookie = _read_tokens(request, session_cookies)
    ended_tokens = await accounts.log_out_everywhere(db, principal, tokens_by_cookie.values())
    return _build_sign_out_response(session_cookies, tokens_by_cookie, ended_tokens)


@post("/password", guards=[require_session], status_code=204)
async def change_password(
    request: AnyRequest,
    data: JSONBody[PasswordIn],
    principal: Injected[MemberPrincipal],
    new_passwords: Injected[PasswordChanger],
    session_cookies: Injected[SessionCookies],
    settings: Injected[Settings],
) -> Response[None]:
    """Change the password. All other sessions end; this one continues with a new token, sent as at sign-in."""
    token = await new_passwords.change(data, principal, caller_of(request, settings))
    headers = {SESSION_HEADER: token}
    return Response(None, status_code=204, headers=headers, cookies=[session_cookies.build_sign_in_cookie(token)])


@post("/reset", guards=[public], status_code=202)
async def ask_for_reset(
    request: AnyRequest,
    data: JSONBody[ResetIn],
    throttle: Injected[Throttle],
    reset_requests: Injected[ResetRequestQueue],
    settings: Injected[Settings],
) -> Response[None]:
    """Request a link to set a new password. It is emailed if the address has an account.

    The response does not reveal whether it does. The link works once, for an hour; earlier links stay valid.
    """
    refuse_foreign_write(request, settings.base_url)
    await throttle.count_mail_request(data.email.lower(), caller_of(request, settings).client_network)
    reset_requests.add(data.email)
    return Response(None, status_code=202, media_type=MediaType.TEXT)  # no JSON: there is no body


@post("/reset/confirm", guards=[public], status_code=204)
async def confirm_reset(
    request: AnyRequest,
    data: JSONBody[ResetConfirmIn],
    new_passwords: Injected[PasswordChanger],
    settings: Injected[Settings],
) -> None:
    """Set a new password with the token from the emailed link. All sessions of the user end; sign in again."""
    refuse_foreign_write(request, settings.base_url)
    await new_passwords.reset(data, caller_of(request, settings))


@post("/links", guards=[require_session], status_code=201)
async def make_sign_in_link(
    request: AnyRequest,
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    settings: Injected[Settings],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> SignInLinkOut:
    """Create a link that signs a browser in as you, for a script that opens a page.

    It works once, within ten minutes, and only while this session lasts.
    """
    token, expires_at_ms = await make_link(db, principal.session_hash, clock, ids)
    base_url = settings.base_url or str(request.base_url).rstrip("/")
    return SignInLinkOut(f"{base_url}/sign-in/{token}", iso_ms(expires_at_ms))


@get("/sign-in/{token:str}", guards=[public], include_in_schema=False, status_code=303)
async def open_sign_in_link(
    request: AnyRequest,
    token: FromPath[str],
    authenticator: Injected[Authenticator],
    session_cookies: Injected[SessionCookies],
    clock: Injected[Clock],
    next_: NextParameter = None,
) -> Response[None]:
    """Sign a browser in with a link; a HEAD request, such as chat apps send to preview links, does not use it up."""
    refuse_foreign_link(request)
    headers = _REDIRECT_HEADERS | {"location": choose_own_path(next_)}
    if is_head_request(request):
        return Response(None, status_code=303, headers=headers)
    session_token = await open_link(authenticator, token, _read_tokens(request, session_cookies).values(), clock)
    return Response(
        None, status_code=303, headers=headers, cookies=[session_cookies.build_sign_in_cookie(session_token)]
    )


routes = Router(
    path="/v1/auth",
    route_handlers=[
        signup,
        may_sign_up,
        login,
        me,
        switch_to_workspace,
        logout,
        end_sessions,
        change_password,
        ask_for_reset,
        confirm_reset,
        make_sign_in_link,
    ],
    tags=["auth"],
    dependencies={"accounts": Provide(provide_accounts, sync_to_thread=False)},
)


def _read_tokens(request: AnyRequest, cookies: SessionCookies) -> dict[str, str]:
    """Return the session tokens that came with a request, by cookie; a Bearer token has the name ""."""
    bearer_token = bearer_of(request)
    return cookies.read_tokens_by_cookie(request) if bearer_token is None else {"": bearer_token}


def _build_sign_out_response(
    cookies: SessionCookies, tokens_by_cookie: Mapping[str, str], ended_tokens: Container[str]
) -> Response[None]:
    """Return the answer that makes a browser forget the cookies whose tokens have ended."""
    ended_names = [name for name, token in tokens_by_cookie.items() if token in ended_tokens]
    return Response(None, status_code=204, cookies=cookies.build_sign_out_cookies(ended_names))
