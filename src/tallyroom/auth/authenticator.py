"""The services that the guards need, in one place: the app keeps it at `app.state.authenticator`."""

from dataclasses import dataclass

from tallyroom.auth.api_keys import KeyRing
from tallyroom.auth.cookies import Connection, bearer_of, cookie_of
from tallyroom.auth.csrf import refuse_foreign_write
from tallyroom.auth.passwords import Passwords
from tallyroom.auth.secrets import SESSION_PREFIX
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.tenant import KeyPrincipal, SessionPrincipal
from tallyroom.core.errors import Unauthorized
from tallyroom.core.settings import Settings
from tallyroom.db.connection import Database


@dataclass(frozen=True)
class Authenticator:
    """Turns the credentials of a request into a principal."""

    database: Database
    keyring: KeyRing
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
        return await self.keyring.authenticate(None if header is None else header.encode("latin-1"))

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
