"""The services that the guards need, in one place: the app keeps it at `app.state.authenticator`."""

from dataclasses import dataclass
from typing import Any

from litestar import Request

from tallyroom.auth.api_keys import KeyCache
from tallyroom.auth.cookies import Connection, bearer_of, cookie_of
from tallyroom.auth.csrf import refuse_foreign_write
from tallyroom.auth.passwords import Passwords
from tallyroom.auth.secrets import SESSION_PREFIX
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.signatures import SIGNATURE_HEADER, Signatures
from tallyroom.auth.stats_tokens import StatsRefused, StatsTokenCache
from tallyroom.auth.tenant import KeyPrincipal, SessionPrincipal, StatsPrincipal
from tallyroom.core.errors import Unauthorized
from tallyroom.core.rate import SlidingWindow
from tallyroom.core.settings import Settings
from tallyroom.db.connection import Database


@dataclass(frozen=True)
class Authenticator:
    """Turns the credentials of a request into a principal.

    `token_window` counts the calls of each token of the statistics API, `webhook_window` the signed webhooks of each
    bot: a busy list of votes does not use up the calls of a token, and the other way round.
    """

    database: Database
    key_cache: KeyCache
    stats_tokens: StatsTokenCache
    signatures: Signatures
    token_window: SlidingWindow
    webhook_window: SlidingWindow
    sessions: SessionStore
    settings: Settings
    passwords: Passwords

    async def session(self, connection: Connection) -> SessionPrincipal:
        """The signed-in person. A Bearer token decides if there is one, else the cookie.

        Raises:
            Unauthorized: no session, or one that has ended; an API key is none.
            Forbidden: the cookie came with a write from another origin.
        """
        bearer = bearer_of(connection)
        token = bearer or cookie_of(connection, self.settings)
        principal = await self.sessions.resolve(token) if token else None
        if principal is None:
            raise Unauthorized("Sign in first.")
        if bearer is None:
            refuse_foreign_write(connection, self.settings.base_url)
        return principal

    async def key(self, connection: Connection) -> KeyPrincipal:
        """The program behind an API key.

        Raises:
            KeyRefused: no valid key; a session is none.
        """
        header = connection.headers.get("authorization")
        return await self.key_cache.authenticate(None if header is None else header.encode("latin-1"))

    async def session_or_key(self, connection: Connection) -> SessionPrincipal | KeyPrincipal:
        """Whichever of the two the request carries.

        Raises:
            Unauthorized: neither holds.
            Forbidden: as for `session`.
        """
        bearer = bearer_of(connection)
        if bearer is None or bearer.startswith(SESSION_PREFIX):
            return await self.session(connection)
        return await self.key(connection)

    async def stats_token(self, connection: Connection) -> StatsPrincipal:
        """The program behind a token of the statistics API; the call is counted.

        Raises:
            StatsRefused: no valid token; an API key or a session is none.
            StatisticsRateLimited: the token has used up its calls.
        """
        sent = connection.headers.getall("authorization", [])
        principal = await self.stats_tokens.authenticate(sent[0].encode("latin-1") if len(sent) == 1 else None)
        self.token_window.admit(principal.token_id)
        return principal

    async def signed_webhook(self, request: Request[Any, Any, Any], bot_id: str) -> StatsPrincipal | None:
        """The bot list that signed the request for the bot; the webhook is counted. None when nobody signed.

        Raises:
            StatsRefused: the signature is not right.
            StatisticsRateLimited: the bot has used up its webhooks.
            SecretUnreadable: the secret that may be the right one cannot be read now.
        """
        sent = request.headers.getall(SIGNATURE_HEADER, [])
        if not sent:
            return None
        if len(sent) > 1 or not self.signatures.may_hold(sent[0]):  # before the body of a stranger is read
            raise StatsRefused
        principal = self.signatures.authenticate(bot_id, sent[0], await request.body())
        self.webhook_window.admit(f"{principal.workspace_id}/{bot_id}")
        return principal
