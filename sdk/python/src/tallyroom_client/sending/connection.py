"""One connection to the server, kept open between requests."""

import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tallyroom_client.cut import Cut
from tallyroom_client.lifecycle import opening_lock
from tallyroom_client.sending.answers import Reply
from tallyroom_client.version import __version__

if TYPE_CHECKING:
    import http.client

USER_AGENT = f"tallyroom-python/{__version__}"

_TIMEOUT = 15.0  # seconds
_MIN_COMPRESSED_BYTES = 8192
_MAX_REPLY_BYTES = 1024 * 1024
_GZIP_WINDOW_BITS = 31


class NoAnswer(OSError):
    """The server did not answer. `may_have_arrived` is False if the request cannot have reached it."""

    def __init__(self, reason: str, *, may_have_arrived: bool) -> None:
        super().__init__(reason)
        self.may_have_arrived = may_have_arrived


class Connection:
    """Sends requests with an API key; its only error is `NoAnswer`."""

    def __init__(self, url: str, key: str) -> None:
        self._url = urlsplit(url)
        self._headers = {"Authorization": f"Bearer {key}", "User-Agent": USER_AGENT}
        self._http: http.client.HTTPConnection | None = None

    def post_cut(self, cut: Cut) -> Reply:
        """Send a cut under its key: always the same bytes."""
        body = cut.body
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": cut.key,
            "Idempotency-Queue": cut.queue_id,
        }
        if len(body) > _MIN_COMPRESSED_BYTES:
            compressor = zlib.compressobj(level=1, wbits=_GZIP_WINDOW_BITS)
            body = compressor.compress(body) + compressor.flush()
            headers["Content-Encoding"] = "gzip"
        return self._request("POST", "/v1/events", headers, body)

    def get_key(self) -> Reply:
        """Ask what the server knows of the key."""
        return self._request("GET", "/v1/key", {})

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def _request(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None) -> Reply:
        is_reused = self._http is not None
        try:
            return self._request_once(method, path, headers, body)
        except NoAnswer:
            if not is_reused:
                raise
        try:  # the server may have closed the idle connection
            return self._request_once(method, path, headers, body)
        except NoAnswer as error:
            error.may_have_arrived = True  # with the first request
            raise

    def _request_once(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
        _load_http()
        import http.client  # noqa: PLC0415 # loaded

        is_connected = False
        try:
            if self._http is None:
                self._http = self._connect()
            is_connected = True
            self._http.request(method, self._url.path.rstrip("/") + path, body, {**self._headers, **headers})
            response = self._http.getresponse()
            reply = _read(response)
            if not response.isclosed():
                self.close()
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            raise NoAnswer(f"{type(error).__name__}: {error}", may_have_arrived=is_connected) from error
        return reply

    def _connect(self) -> "http.client.HTTPConnection":
        import http.client  # noqa: PLC0415 # as above

        host, port = self._url.hostname or "", self._url.port
        kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        connection = kind(host, port, timeout=_TIMEOUT)
        connection.connect()
        return connection


def _load_http() -> None:
    """Import what requests need, in one piece: a fork waits, and at its end the interpreter can import no more."""
    with opening_lock():
        import encodings.idna  # noqa: F401, PLC0415 # the codec of host names
        import http.client  # noqa: F401, PLC0415 # a program that never sends does not load it


def _read(response: "http.client.HTTPResponse") -> Reply:
    body = response.read(_MAX_REPLY_BYTES)
    return Reply(
        status=response.status,
        body=body,
        retry_after=_number(response.getheader("Retry-After")),
        window=int(_number(response.getheader("Idempotency-Window")) or Reply(0).window),
        is_replay=response.getheader("Idempotent-Replayed", "").lower() == "true",
    )


def _number(text: str | None) -> float | None:
    """Return a count of seconds; None for anything else, such as a date."""
    return float(text) if text and text.isascii() and text.isdigit() else None
