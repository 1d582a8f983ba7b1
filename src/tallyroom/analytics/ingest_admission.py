"""What ingest passes before its body is read: the rate limit of the client IP, the key (rules/events#rate)."""

import logging
from collections import Counter
from collections.abc import Mapping

from litestar.types import HTTPScope

from tallyroom.auth.api_keys import KeyCache, KeyRefused
from tallyroom.auth.tenant import KeyPrincipal
from tallyroom.core.client_ip import client_ip
from tallyroom.core.errors import Internal, TallyroomError, UnsupportedMediaType, ValidationFailed
from tallyroom.core.rate import SlidingWindow
from tallyroom.core.settings import Network
from tallyroom.ingest.refusals import Refusals
from tallyroom.rest.answer import Exchange

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

    def __init__(self, window: SlidingWindow, key_cache: KeyCache, trusted_networks: list[Network]) -> None:
        self._window = window
        self._key_cache = key_cache
        self._trusted_networks = trusted_networks

    def admit_known(self, exchange: Exchange, headers: Mapping[bytes, bytes]) -> KeyPrincipal | None:
        """As `admit`, for a key that was used a moment ago; None, and nothing is counted, when that takes a look.

        Raises:
            RateLimited: the client IP sent too many requests.
        """
        if len(headers) != len(exchange.headers):
            return None
        principal = self._key_cache.remembered(headers.get(b"authorization", b""))
        if principal is not None:
            forwarded = headers.get(b"x-forwarded-for")
            self._count(exchange.client, [] if forwarded is None else [forwarded])
        return principal

    async def admit(self, scope: HTTPScope, headers: Mapping[bytes, bytes]) -> KeyPrincipal:
        """The principal of the request's key.

        Raises:
            RateLimited: the client IP sent too many requests.
            KeyRefused: the key is missing, malformed, unknown or revoked.
        """
        peer = scope["client"]
        self._count(peer[0] if peer else "", [value for name, value in scope["headers"] if name == b"x-forwarded-for"])
        if len(headers) != len(list(scope["headers"])):
            _refuse_repeated(scope)
        return await self._key_cache.authenticate(headers.get(b"authorization"))

    async def confirm(self, headers: Mapping[bytes, bytes]) -> KeyPrincipal:
        """The principal once more, when the body is there: a slow client has had minutes since it was admitted.

        Without it, the key could have been revoked and its environment deleted, and the events would come after that.

        Raises:
            KeyRefused: the key was revoked meanwhile.
        """
        return await self._key_cache.authenticate(headers.get(b"authorization"))

    def _count(self, peer: str, forwarded: list[bytes]) -> None:
        self._window.admit(client_ip(peer, forwarded, self._trusted_networks))


def noted(error: Exception, refusals: Refusals, request_id: str, workspace_id: str | None) -> TallyroomError:
    """The refusal that an ingest path answers, which the workspace of its key will find in the list of refusals.

    Args:
        error: why the request is refused; what is no refusal is a fault of the program.
        refusals: the list.
        request_id: names the request.
        workspace_id: whose key it came with, as far as that is known.
    """
    if not isinstance(error, TallyroomError):
        _log.error("ingest failed", exc_info=error, extra={"requestId": request_id})
        error = Internal("The server failed; its log has the reason.")
    if isinstance(error, KeyRefused):
        workspace_id = error.workspace_id
    if workspace_id is not None:
        refusals.note(workspace_id, error, request_id)
    return error


def _refuse_repeated(scope: HTTPScope) -> None:
    """Refuse a header that may stand once and stands twice: whichever were believed, a proxy may believe the other."""
    seen = Counter(name for name, _ in scope["headers"])
    if seen[b"authorization"] > 1:
        raise KeyRefused
    for name, refusal in _ONCE.items():
        if seen[name] > 1:
            raise refusal(f"The header {name.decode()} stands {seen[name]} times; send it once.")
