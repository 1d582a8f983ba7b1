"""Downloads an export from a running server: opens a session, streams the file, and raises if the stream breaks off."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, Literal

import httpx
import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.core.log import redact
from tallyroom.import_export.connection import describe_answer, is_local, open_client

ExportFormat = Literal["ndjson", "csv", "parquet"]

_EXPORT_PATH: Final = "/v1/export"
_TIMEOUT_SECONDS: Final = 60.0
_SESSION_HEADER: Final = "x-session-token"
_NOTICE_HEADER: Final = "tallyroom-notice"
_SENTENCE_BY_NOTICE: Final = {
    "incomplete_data": "A part of the server's event store is damaged: events may be missing from the export.",
    "older_only": "All events of this environment are older than the export's time range.",
}


class ExportStopped(TallyroomError):
    """The server refused the export, could not be reached, or broke it off; the message says which."""


class ExportRequest(msgspec.Struct, frozen=True):
    """The events to export, and the file format; None leaves the choice to the server."""

    file_format: ExportFormat
    environment: str | None = None
    from_: str | None = None
    to: str | None = None

    @property
    def query_parameters(self) -> dict[str, str]:
        """The query parameters of the request."""
        parameters = {"format": self.file_format, "environment": self.environment, "from": self.from_, "to": self.to}
        return {name: value for name, value in parameters.items() if value is not None}


@contextmanager
def open_server_client(url: str) -> Iterator[httpx.Client]:
    """Provide a client for one server; raise `ExportStopped` if the connection fails while the block runs."""
    with open_client(url, {}, _TIMEOUT_SECONDS) as client:
        client.headers["accept-encoding"] = "identity" if is_local(client) else "gzip"
        try:
            yield client
        except httpx.RequestError as error:
            reason = redact(str(error)) or type(error).__name__
            raise ExportStopped(f"{url}: {reason}. The export is not complete.") from error


@contextmanager
def open_session(client: httpx.Client, email: str, password: str) -> Iterator[str]:
    """Sign in, and yield the token of a session that ends with the block; raise `ExportStopped` if refused."""
    answer = client.post("/v1/auth/login", json={"email": email, "password": password})
    token = answer.headers.get(_SESSION_HEADER, "")
    if not token:
        raise _build_stopped_error(answer)
    try:
        yield token
    finally:
        with suppress(httpx.RequestError):  # the file is complete anyway, and the session will expire
            client.post("/v1/auth/logout", headers=_build_bearer_headers(token))


def download(
    client: httpx.Client, token: str, request: ExportRequest, notify: Callable[[str], object] = str
) -> Iterator[bytes]:
    """Yield the file in chunks; if the iteration ends without an error, the file is complete.

    `client` is from `open_server_client`, `token` a session token or a personal access token. `notify` is called with a
    sentence if events may be missing. Raises `ExportStopped` if the server refuses, or the token is malformed.
    """
    if not (token.isascii() and token.isprintable()) or " " in token or not token:
        raise ExportStopped("No usable token.")
    headers = _build_bearer_headers(token)
    with client.stream("GET", _EXPORT_PATH, params=request.query_parameters, headers=headers) as answer:
        if answer.status_code != httpx.codes.OK:
            answer.read()
            if answer.status_code == httpx.codes.UNAUTHORIZED:
                raise ExportStopped("The server does not accept this token (401): it is wrong, revoked or expired.")
            raise _build_stopped_error(answer)
        for code in answer.headers.get(_NOTICE_HEADER, "").split(", "):
            if code in _SENTENCE_BY_NOTICE:
                notify(_SENTENCE_BY_NOTICE[code])
        yield from answer.iter_bytes()


class DownloadCounter:
    """Counts the bytes and complete events of a file, except for Parquet events, which are only known at the end."""

    def __init__(self, file_format: ExportFormat, on_chunk: Callable[["DownloadCounter"], object] = id) -> None:
        self._file_format = file_format
        self._on_chunk = on_chunk
        self._quote_parity = 0
        self.byte_count = 0
        self.event_count = {"ndjson": 0, "csv": -1, "parquet": None}[file_format]  # the first line of CSV is its header

    def add_chunk(self, chunk: bytes) -> None:
        """Count the next chunk of the file."""
        self.byte_count += len(chunk)
        if self.event_count is not None:
            self.event_count += self._count_line_ends(chunk)
        self._on_chunk(self)

    def _count_line_ends(self, chunk: bytes) -> int:
        if self._file_format != "csv":
            return chunk.count(b"\n")
        # A quote inside a quoted cell is doubled, so every quote toggles between inside and outside.
        parts = chunk.split(b'"')
        unquoted_parts = parts[self._quote_parity :: 2]
        self._quote_parity ^= (len(parts) - 1) & 1
        return sum(part.count(b"\n") for part in unquoted_parts)


def _build_bearer_headers(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def _build_stopped_error(answer: httpx.Response) -> ExportStopped:
    return ExportStopped(describe_answer(f"{answer.url.scheme}://{answer.url.netloc.decode()}", answer))
