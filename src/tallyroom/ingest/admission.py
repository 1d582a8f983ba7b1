"""The checks of ingest before the body is read: the rate limit of the client IP, then the key (rules/events#rate)."""

import logging
from collections import Counter
from collections.abc import Mapping

from litestar.types import HTTPScope

from tallyroom.auth.api_keys import KeyCache, KeyRefused
from tallyroom.auth.client_ip import client_ip
from tallyroom.auth.principals import KeyPrincipal
from tallyroom.core.errors import Internal, TallyroomError, UnsupportedMediaType, ValidationFailed
from tallyroom.core.settings import Network
from tallyroom.ingest.refusals import Refusals
from tallyroom.rest.answer import Exchange
from tallyroom.storage.limits.limits import Window

_log = logging.getLogger(__name__)

_ONCE: dict[bytes, type[TallyroomError]] = {
    b"content-type": UnsupportedMediaType,
    b"content-encoding": UnsupportedMediaType,
    b"idempotency-key": ValidationFailed,
    b"idempotency-after": ValidationFailed,
}


class IngestAdmission:
    """Admits a request or refuses it.

    Args:
        window: counts the requests of each client IP over all ingest paths.
        key_cache: knows the keys.
        trusted_networks: proxies whose `X-Forwarded-For` is believed.
    """

    def __init__(self, window: Window, key_cache: KeyCache, trusted_networks: list[Network]) -> None:
        self._window = window
        self._key_cache = key_cache
        self._trusted_networks = trusted_networks

    def admit_known(self, exchange: Exchange, headers: Mapping[bytes, bytes]) -> KeyPrincipal | None:
        """Admit a request as `admit` does, if that needs no waiting; otherwise, return None and count nothing.

        Raises:
            RateLimited: the client IP sent too many requests.
        """
        if len(headers) != len(exchange.headers):
            return None
        principal = self._key_cache.remembered(headers.get(b"authorization", b""))
        if principal is None:
            return None
        forwarded = headers.get(b"x-forwarded-for")
        client = self._client(exchange.client, [] if forwarded is None else [forwarded])
        return principal if self._window.admit_at_once(client) else None

    async def admit(self, scope: HTTPScope, headers: Mapping[bytes, bytes]) -> KeyPrincipal:
        """Count the request, and return the principal of its key.

        Raises:
            RateLimited: the client IP sent too many requests.
            KeyRefused: the key is missing, malformed, unknown or revoked.
        """
        peer = scope["client"]
        forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        await self._window.admit(self._client(peer[0] if peer else "", forwarded))
        if len(headers) != len(list(scope["headers"])):
            _refuse_repeated(scope)
        return await self._key_cache.authenticate(headers.get(b"authorization"))

    async def confirm(self, headers: Mapping[bytes, bytes]) -> KeyPrincipal:
        """Check the key again when the body has arrived, which may be minutes after a slow client was admitted.

        Otherwise the key could have been revoked and its environment deleted before the events are stored.

        Raises:
            KeyRefused: the key was revoked meanwhile.
        """
        return await self._key_cache.authenticate(headers.get(b"authorization"))

    def _client(self, peer: str, forwarded: list[bytes]) -> str:
        return client_ip(peer, forwarded, self._trusted_networks)


def noted(error: Exception, refusals: Refusals, request_id: str, workspace_id: str | None) -> TallyroomError:
    """Return the refusal that an ingest path answers with, and note it in the refusals of the key's workspace.

    Args:
        error: the reason for the refusal; any other exception is a bug.
        refusals: the list of refusals.
        request_id: the id of the request.
        workspace_id: the workspace of the key, if known.
    """
    if not isinstance(error, TallyroomError):
        _log.error("ingest failed", exc_info=error, extra={"requestId": request_id})
        error = Internal("The server failed. Its log has the reason.")
    if isinstance(error, KeyRefused):
        workspace_id = error.workspace_id
    if workspace_id is not None:
        refusals.note(workspace_id, error, request_id)
    return error


def _refuse_repeated(scope: HTTPScope) -> None:
    """Refuse a repeated header that may occur only once: whichever we chose, a proxy might choose the other."""
    counts = Counter(name for name, _ in scope["headers"])
    if counts[b"authorization"] > 1:
        raise KeyRefused
    for name, refusal in _ONCE.items():
        if counts[name] > 1:
            raise refusal(f"The header {name.decode()} appears {counts[name]} times. Send it once.")
