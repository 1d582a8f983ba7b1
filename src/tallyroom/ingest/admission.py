"""The checks of ingest before the body is read: the rate limit of the client IP, then the key (rules/events#rate)."""

import logging
from collections import Counter

from tallyroom.auth.api_keys import KeyCache, KeyRefused
from tallyroom.auth.client_ip import client_ip
from tallyroom.auth.principals import KeyPrincipal
from tallyroom.core.errors import Internal, TallyroomError, UnsupportedMediaType, ValidationFailed
from tallyroom.core.settings import Network
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.request import IngestRequest
from tallyroom.rest.answer import Header
from tallyroom.storage.limits.limits import RateLimit

_log = logging.getLogger(__name__)

_REFUSAL_BY_SINGLE_HEADER: dict[bytes, type[TallyroomError]] = {
    b"content-type": UnsupportedMediaType,
    b"content-encoding": UnsupportedMediaType,
    b"idempotency-key": ValidationFailed,
    b"idempotency-after": ValidationFailed,
    b"idempotency-queue": ValidationFailed,
}


class AdmissionControl:
    """Admits or refuses requests; the rate limit spans all ingest paths. Only trusted proxies set `X-Forwarded-For`."""

    def __init__(self, rate_limit: RateLimit, key_cache: KeyCache, trusted_networks: list[Network]) -> None:
        self._rate_limit = rate_limit
        self._key_cache = key_cache
        self._trusted_networks = trusted_networks

    def recognize_key(self, request: IngestRequest) -> KeyPrincipal | None:
        """Return the principal of the key, and set it on the request; None if `authenticate` has to be awaited."""
        if len(request.headers) != len(request.raw_headers):
            return None
        principal = self._key_cache.get_cached(request.headers.get(b"authorization", b""))
        if principal is not None:
            request.principal = principal
        return principal

    def limit_rate_at_once(self, request: IngestRequest) -> bool:
        """Count the request, or raise `RateLimited`; False, with nothing done, if `limit_rate` must be awaited."""
        request.is_rate_checked = self._rate_limit.admit_at_once(self._find_client_ip(request))
        return request.is_rate_checked

    async def limit_rate(self, request: IngestRequest) -> None:
        """Like `limit_rate_at_once`, but wait if necessary."""
        await self._rate_limit.admit(self._find_client_ip(request))
        request.is_rate_checked = True

    async def authenticate(self, request: IngestRequest) -> KeyPrincipal:
        """Set and return the principal of the key; raises `KeyRefused`.

        This is repeated when the body has arrived: the key may have been revoked, or its environment deleted,
        meanwhile.
        """
        if len(request.headers) != len(request.raw_headers):
            _refuse_repeated_headers(request.raw_headers)
        request.principal = await self._key_cache.authenticate(request.headers.get(b"authorization"))
        request.is_key_stale = False
        return request.principal

    def _find_client_ip(self, request: IngestRequest) -> str:
        forwarded_for: list[bytes] = []
        if b"x-forwarded-for" in request.headers:
            forwarded_for = [value for name, value in request.raw_headers if name == b"x-forwarded-for"]
        return client_ip(request.peer_ip, forwarded_for, self._trusted_networks)


def note_refusal(error: Exception, refusals: Refusals, request: IngestRequest) -> TallyroomError:
    """Return the error to answer with, and note it for the key's workspace; other exceptions are bugs."""
    if not isinstance(error, TallyroomError):
        _log.error("ingest failed", exc_info=error, extra={"requestId": request.request_id})
        error = Internal("An internal error occurred. The server's log has the reason.")
    workspace_id = error.workspace_id if isinstance(error, KeyRefused) else request.workspace_id
    if workspace_id is not None:
        refusals.note(workspace_id, error, request.request_id, request.headers.get(b"user-agent"))
    return error


def _refuse_repeated_headers(headers: list[Header]) -> None:
    """Refuse a repeated header that may occur only once: a proxy might read a different one than we do."""
    count_by_header = Counter(name for name, _ in headers)
    if count_by_header[b"authorization"] > 1:
        raise KeyRefused
    for name, refusal in _REFUSAL_BY_SINGLE_HEADER.items():
        if count_by_header[name] > 1:
            raise refusal(f"The header {name.decode()} appears {count_by_header[name]} times. Send it once.")
