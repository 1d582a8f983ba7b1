"""What every ingest path passes before its body is read: the rate limit of the client IP, then the key."""

from collections.abc import Mapping

from litestar.types import HTTPScope

from tallyroom.auth.api_keys import KeyRing
from tallyroom.auth.tenant import KeyPrincipal
from tallyroom.core.settings import Network
from tallyroom.ingest.client_ip import client_ip
from tallyroom.ingest.rate import SlidingWindow


class IngestGate:
    """Admits a request or refuses it.

    Args:
        window: counts the requests of each client IP over all ingest paths.
        keyring: knows the keys.
        trusted_networks: proxies whose `X-Forwarded-For` is believed.
    """

    def __init__(self, window: SlidingWindow, keyring: KeyRing, trusted_networks: list[Network]) -> None:
        self._window = window
        self._keyring = keyring
        self._trusted_networks = trusted_networks

    async def admit(self, scope: HTTPScope, headers: Mapping[bytes, bytes]) -> KeyPrincipal:
        """The principal of the request's key.

        Raises:
            RateLimited: the client IP sent too many requests.
            KeyRefused: the key is missing, malformed, unknown or revoked.
        """
        peer = scope["client"]
        forwarded: list[bytes] = []
        if self._trusted_networks:
            forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        self._window.admit(client_ip(peer[0] if peer else "", forwarded, self._trusted_networks))
        return await self._keyring.authenticate(headers.get(b"authorization"))
