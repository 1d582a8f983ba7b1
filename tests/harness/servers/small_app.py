"""A small app of the identity routes on a fresh database, as the real app wires them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
from cryptography.fernet import Fernet
from litestar import Litestar
from litestar.datastructures import State
from litestar.types import ControllerRouterHandler

from harness.clients.cookies import COOKIE
from tallyroom.auth.api_keys import KeyCache
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import SessionCookies, set_replacement_cookie
from tallyroom.auth.guards import OPEN_GUARDS
from tallyroom.auth.passwords import Passwords
from tallyroom.auth.places.familiar import FamiliarPlaces
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.sign_in.passwords import PasswordChanger
from tallyroom.auth.sign_in.reset_requests import ResetRequestQueue
from tallyroom.auth.sign_in.routes import open_sign_in_link
from tallyroom.auth.sign_in.routes import routes as auth_routes
from tallyroom.auth.signatures import WebhookAuthenticator
from tallyroom.auth.stats_tokens import StatsTokenCache
from tallyroom.auth.throttle import Throttle
from tallyroom.auth.tokens.cache import PersonalTokenCache
from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.bots.tokens.routes import routes as stats_token_routes
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.core.vault import Vault
from tallyroom.dashboards.annotations.routes import routes as annotation_routes
from tallyroom.digests.unsubscribe_page import confirm_unsubscribe, show_unsubscribe
from tallyroom.mail.email import Mailer
from tallyroom.mail.outbox import MailOutbox
from tallyroom.rest.errors import exception_handlers
from tallyroom.rest.requests import build_request_check
from tallyroom.rest.transaction import roll_back
from tallyroom.server.providers import build_providers
from tallyroom.storage.limits.local import LocalAttemptLimits
from tallyroom.storage.limits.sliding_window import SlidingWindow
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import User
from tallyroom.storage.queue.worker import QueueWorker
from tallyroom.workspaces.api_keys.routes import routes as key_routes
from tallyroom.workspaces.api_tokens.routes import routes as token_routes
from tallyroom.workspaces.invites.routes import routes as invite_routes
from tallyroom.workspaces.members.routes import routes as member_routes

SignUp = Callable[..., Awaitable[httpx.AsyncClient]]


_ROUTE_HANDLERS: list[ControllerRouterHandler] = [
    auth_routes,
    open_sign_in_link,
    key_routes,
    stats_token_routes,
    token_routes,
    annotation_routes,
    member_routes,
    invite_routes,
    show_unsubscribe,
    confirm_unsubscribe,
]


def _app(provided: dict[str, Any]) -> Litestar:
    return Litestar(
        _ROUTE_HANDLERS,
        state=State(provided),
        dependencies=build_providers(provided, _ROUTE_HANDLERS),
        before_request=build_request_check(OPEN_GUARDS),
        after_exception=[roll_back],
        before_send=[set_replacement_cookie],
        exception_handlers=exception_handlers,
        logging_config=None,
        openapi_config=None,
    )


class Server:
    """The app of a test, and clients of it."""

    def __init__(self, database: Database, settings: Settings, clock: Any) -> None:
        id_generator = IdGenerator(clock)
        self.database = database
        self.key_cache = KeyCache(database, clock)
        throttle = Throttle(LocalAttemptLimits(clock))
        sessions = SessionStore(database, clock, id_generator)
        # The cheapest parameters that argon2 takes.
        passwords = Passwords(time_cost=1, memory_kib=8)
        self.stats_tokens = StatsTokenCache(database, clock)
        self.personal_tokens = PersonalTokenCache(database, clock)
        self.vault = Vault([Fernet.generate_key().decode()])
        mailer = Mailer(settings.mail_server, clock, id_generator)
        self.queue = QueueWorker(database, clock, id_generator, "spool 1")
        self.mails = MailOutbox(self.queue, mailer, self.vault, clock, id_generator)
        self.queue.set_handlers([self.mails])
        cookies = SessionCookies(COOKIE, is_secure=settings.is_https)
        authenticator = Authenticator(
            database,
            self.key_cache,
            self.stats_tokens,
            self.personal_tokens,
            WebhookAuthenticator(database, self.vault, clock),
            SlidingWindow("statistics", 0, clock),
            SlidingWindow("statistics", 0, clock),
            sessions,
            cookies,
            settings,
            passwords,
            FamiliarPlaces(self.vault, clock),
        )
        new_passwords = PasswordChanger(authenticator, throttle, self.mails, clock, id_generator)
        self.reset_requests = ResetRequestQueue(new_passwords.mail_reset_link, pause_seconds=0)
        provided: dict[str, Any] = {
            "database": database,
            "authenticator": authenticator,
            "clock": clock,
            "ids": id_generator,
            "session_cookies": cookies,
            "settings": settings,
            "new_passwords": new_passwords,
            "reset_requests": self.reset_requests,
            "throttle": throttle,
            "mails": self.mails,
            "queue": self.queue,
        }
        self.app = _app(provided)

    def client(self, **options: Any) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)  # type: ignore[arg-type] # httpx describes ASGI more loosely
        return httpx.AsyncClient(transport=transport, base_url="http://testserver", **options)


@pytest.fixture
def server(database: Database, fake_clock: Any) -> Server:
    return Server(database, Settings(), fake_clock)


@pytest.fixture
def open_server(database: Database, fake_clock: Any) -> Server:
    """A server that lets everybody sign up."""
    return Server(database, Settings(open_signup=True), fake_clock)


@pytest.fixture
async def client(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with server.client() as client:
        yield client


@pytest.fixture
async def sign_up(open_server: Server) -> AsyncIterator[SignUp]:
    """Makes a user with a workspace of their own on `open_server`; answers their signed-in client."""
    async with AsyncExitStack() as stack:

        async def sign_up(name: str = "owner") -> httpx.AsyncClient:
            client = await stack.enter_async_context(open_server.client())
            body = {"email": f"{name}@example.com", "password": "correct horse", "name": name}
            assert (await client.post("/v1/auth/signup", json=body)).status_code == 201
            return client

        yield sign_up


@pytest.fixture
async def founder(database: Database, fake_clock: Any) -> MemberPrincipal:
    """The owner of a fresh workspace, as a guard would have found them."""
    async with database.session(write=True) as db:
        db.add(User(id="founder", email="founder@example.com", name="Founder", password_hash="", created_at_ms=0))
        await db.flush()
        made = await set_up_workspace(
            db, "Acme", "founder", settings=Settings(), clock=fake_clock, id_generator=IdGenerator(fake_clock)
        )
    return MemberPrincipal("founder", made.id, Role.OWNER, "paid", b"")
