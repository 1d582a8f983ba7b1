"""Sends requests to addresses that users enter, and never to the server's own network (rules/safety#outbound-requests).

A host is looked up once, and only the addresses that were checked are connected to.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from tallyroom.core.daemon_threads import DaemonThreads
from tallyroom.core.fetch.exchange import exchange
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.fetch.url import OutboundUrl, read_url

TIMEOUT_SECONDS: Final = 5

_MAX_LOOKUP_THREADS: Final = 256  # a look-up can take much longer than its caller waits
_MAX_ADDRESSES: Final = 3
_DISTRUST_REASONS: Final = {
    10: "it has expired",
    18: "it is self-signed",
    19: "its authority is not trusted",
    20: "its authority is not trusted",
    62: "it is for another host",
    64: "it is for another host",
}

LookUp = Callable[[str, int], Sequence[str]]


def look_up(host: str, port: int) -> list[str]:
    """Return the addresses of a host, the best first; raises `OSError` if it has none or the look-up fails."""
    address_entries = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address_entry[4][0]) for address_entry in address_entries))


class GuardedFetcher:
    """Sends requests within the rules, each on a separate connection and within five seconds.

    It ignores redirects, cookies and proxies. `SSL_CERT_FILE` names a private certificate authority. `look_up` may
    block.
    """

    def __init__(self, rules: OutboundRules, look_up: LookUp = look_up) -> None:
        self._rules = rules
        self._look_up = look_up
        self._lookup_threads = DaemonThreads(_MAX_LOOKUP_THREADS, "fetch")
        self._tls_context: ssl.SSLContext | None = None

    async def check(self, url: str) -> None:
        """Check a URL without the network: its form, and its host if that is an IP address; raises `FetchFailed`."""
        self._rules.check(read_url(url))

    async def send(self, request: OutboundRequest) -> OutboundAnswer:
        """Send a request and return the answer with any status; raises `FetchFailed` if there is none."""
        url = read_url(request.url)
        self._rules.check(url)
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                return await self._send_checked(request, url)
        except TimeoutError:
            raise FetchFailed(f"The host did not respond within {TIMEOUT_SECONDS} seconds.") from None
        except ssl.SSLCertVerificationError as error:
            reason = _DISTRUST_REASONS.get(error.verify_code, "it is not valid")
            raise FetchFailed(f"The host's certificate is not trusted: {reason}.") from None
        except ssl.SSLError:
            raise FetchFailed("The host does not accept an encrypted connection.") from None
        except OSError:
            raise FetchFailed("The host cannot be reached.") from None

    async def _send_checked(self, request: OutboundRequest, url: OutboundUrl) -> OutboundAnswer:
        addresses = await self._resolve_addresses(url)
        self._rules.check_addresses(url, map(ip_address, addresses))
        tls_context = await self._load_tls_context()
        connection = await _connect_to_any(addresses[:_MAX_ADDRESSES], url.port)
        return await exchange(request, url, connection, tls_context)

    async def _resolve_addresses(self, url: OutboundUrl) -> Sequence[str]:
        if url.ip_address is not None:
            return [url.host]
        try:
            addresses = await asyncio.wrap_future(self._lookup_threads.submit(self._look_up, url.host, url.port))
        except (socket.gaierror, UnicodeError):
            addresses = []
        if not addresses:
            raise FetchFailed("The host name has no address.")
        return addresses

    async def _load_tls_context(self) -> ssl.SSLContext:
        if self._tls_context is None:
            self._tls_context = await asyncio.wrap_future(self._lookup_threads.submit(ssl.create_default_context))
        return self._tls_context


async def _connect_to_any(addresses: Sequence[str], port: int) -> socket.socket:
    """Connect to the first address that answers; the last one may take all remaining time. Raises `OSError`."""
    *before_last, last = addresses
    for address in before_last:
        with suppress(OSError):
            async with asyncio.timeout(TIMEOUT_SECONDS / _MAX_ADDRESSES):
                return await _connect(address, port)
    return await _connect(last, port)


async def _connect(address: str, port: int) -> socket.socket:
    connection = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    try:
        connection.settimeout(0)
        await asyncio.get_running_loop().sock_connect(connection, (address, port))
    except BaseException:
        connection.close()
        raise
    return connection
