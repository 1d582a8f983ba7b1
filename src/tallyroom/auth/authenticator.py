"""The services that the guards need, in one object that the app keeps at `app.state.authenticator`."""

from dataclasses import dataclass
from typing import Any

from litestar import Request

from tallyroom.auth.api_keys import KeyCache
from tallyroom.auth.cookies import Connection, SessionCookies, bearer_of, replace_cookie
from tallyroom.auth.csrf import refuse_foreign_write
from tallyroom.auth.passwords import Passwords
from tallyroom.auth.places.familiar import FamiliarPlaces
from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal, StatsPrincipal
from tallyroom.auth.secrets import PERSONAL_PREFIX, SESSION_PREFIX
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.signatures import SIGNATURE_HEADER, WebhookAuthenticator
from tallyroom.auth.stats_tokens import StatsRefused, StatsTokenCache
from tallyroom.auth.tokens.cache import PersonalTokenCache
from tallyroom.auth.tokens.scopes import TokensNotAccepted
from tallyroom.core.errors import Unauthorized
from tallyroom.core.settings import Settings
from tallyroom.storage.limits.limits import RateLimit
from tallyroom.storage.metadata.connection import Database


@dataclass(frozen=True)
class Authenticator:
    """Turns the credentials of a request into a principal; the limits count calls per token, and webhooks per bot."""

    database: Database
    key_cache: KeyCache
    stats_token_cache: StatsTokenCache
    personal_token_cache: PersonalTokenCache
    webhook_authenticator: WebhookAuthenticator
    stats_token_rate_limit: RateLimit
    webhook_rate_limit: RateLimit
    sessions: SessionStore
    cookies: SessionCookies
    settings: Settings
    passwords: Passwords
    familiar_places: FamiliarPlaces

    async def authenticate_session(self, connection: Connection) -> MemberPrincipal:
        """Return the signed-in person; a Bearer token takes precedence over the cookie.

        Raises `Unauthorized` without a valid session, and `Forbidden` for a write from another origin or a personal
        access token.
        """
        bearer_token = bearer_of(connection)
        if bearer_token is not None and bearer_token.startswith(PERSONAL_PREFIX):
            await self._authenticate_personal_token(connection)
            raise TokensNotAccepted
        principal = await (
            self.sessions.resolve_token(bearer_token) if bearer_token else self.find_principal_by_cookie(connection)
        )
        if principal is None:
            raise Unauthorized("Sign in first.")
        if bearer_token is None:
            refuse_foreign_write(connection, self.settings.base_url)
        return principal

    async def find_principal_by_cookie(self, connection: Connection) -> MemberPrincipal | None:
        """Return the person that a cookie signs in; None without a valid cookie. The origin is not checked."""
        for name, token in self.cookies.read_tokens_by_cookie(connection).items():
            principal = await self.sessions.resolve_token(token)
            if principal is not None:
                if name != self.cookies.name:
                    replace_cookie(connection, self.cookies.build_sign_in_cookie(token))
                return principal
        return None

    async def authenticate_member(self, connection: Connection) -> MemberPrincipal:
        """Return the signed-in person, or the maker of the personal access token; raises as `authenticate_session`."""
        bearer_token = bearer_of(connection)
        if bearer_token is not None and bearer_token.startswith(PERSONAL_PREFIX):
            return await self._authenticate_personal_token(connection)
        return await self.authenticate_session(connection)

    async def authenticate_key(self, connection: Connection) -> KeyPrincipal:
        """Return the program behind an API key; a session is not a key and raises `KeyRefused`."""
        header = connection.headers.get("authorization")
        return await self.key_cache.authenticate(None if header is None else header.encode("latin-1"))

    async def authenticate_member_or_key(self, connection: Connection) -> MemberPrincipal | KeyPrincipal:
        """Return the principal of the session, the personal access token or the API key."""
        bearer_token = bearer_of(connection)
        if bearer_token is None or bearer_token.startswith((SESSION_PREFIX, PERSONAL_PREFIX)):
            return await self.authenticate_member(connection)
        return await self.authenticate_key(connection)

    async def is_still_valid(self, principal: MemberPrincipal) -> bool:
        """Return True if the principal's session or personal access token is still valid in their workspace."""
        return await (self.sessions if principal.token_grant is None else self.personal_token_cache).is_still_valid(
            principal
        )

    async def authenticate_stats_token(self, connection: Connection) -> StatsPrincipal:
        """Return the program behind a token of the Statistics API, and count the call; raises `StatsRefused`."""
        header_values = connection.headers.getall("authorization", [])
        principal = await self.stats_token_cache.authenticate(
            header_values[0].encode("latin-1") if len(header_values) == 1 else None
        )
        await self.stats_token_rate_limit.admit(principal.token_id)
        return principal

    async def authenticate_webhook(self, request: Request[Any, Any, Any], bot_id: str) -> StatsPrincipal | None:
        """Return the bot list that signed the request, and count the webhook; None without a signature.

        Raises `StatsRefused` for a wrong signature, and `SecretUnreadable` if the right secret may be one that cannot
        be read.
        """
        header_values = request.headers.getall(SIGNATURE_HEADER, [])
        if not header_values:
            return None
        # Before reading the body of an unknown sender.
        if len(header_values) > 1 or not self.webhook_authenticator.is_plausible(header_values[0]):
            raise StatsRefused
        principal = await self.webhook_authenticator.authenticate(bot_id, header_values[0], await request.body())
        await self.webhook_rate_limit.admit(f"{principal.workspace_id}/{bot_id}")
        return principal

    async def _authenticate_personal_token(self, connection: Connection) -> MemberPrincipal:
        return await self.personal_token_cache.authenticate(connection.headers["authorization"].encode("latin-1"))
