"""Fetches an export from a running server: opens a session, streams the file, and raises if it breaks off."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Literal

import httpx
import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.core.log import redact
from tallyroom.import_export.connection import is_near, open_client

Form = Literal["ndjson", "csv", "parquet"]

_PATH: Final = "/v1/export"
_SILENCE_SECONDS: Final = 60.0
_SESSION_HEADER: Final = "x-session-token"
_NOTICE: Final = "tallyroom-notice"
_NOTICES: Final = {
    "incomplete_data": "A part of the server's event store is damaged: the export may miss events.",
    "older_only": "All events of this environment are older than the span of the export.",
}


class ExportStopped(TallyroomError):
    """The server refused the export, could not be reached, or broke it off; the message says which."""


class ExportRequest(msgspec.Struct, frozen=True):
    """The events to export, and their form; None leaves the choice to the server."""

    form: Form
    environment: str | None = None
    from_: str | None = None
    to: str | None = None

    @property
    def query(self) -> dict[str, str]:
        """The query parameters of the request."""
        parameters = {"format": self.form, "environment": self.environment, "from": self.from_, "to": self.to}
        return {name: value for name, value in parameters.items() if value is not None}


@contextmanager
def connected(url: str) -> Iterator[httpx.Client]:
    """Provide a client for one server.

    Raises:
        AddressUnusable: no connection can be made to the address.
        ExportStopped: the connection fails while the block runs.
    """
    with open_client(url, {}, _SILENCE_SECONDS) as client:
        client.headers["accept-encoding"] = "identity" if is_near(client) else "gzip"
        try:
            yield client
        except httpx.RequestError as error:
            raise ExportStopped(
                f"{url}: {redact(str(error)) or type(error).__name__}. The export is not complete."
            ) from error


@contextmanager
def signed_in(client: httpx.Client, email: str, password: str) -> Iterator[str]:
    """Sign in, and yield the token of a session that ends with the block.

    Raises:
        ExportStopped: the server does not accept the sign-in.
    """
    answer = client.post("/v1/auth/login", json={"email": email, "password": password})
    token = answer.headers.get(_SESSION_HEADER, "")
    if not token:
        raise _stopped_by(answer)
    try:
        yield token
    finally:
        with suppress(httpx.RequestError):  # the file is complete anyway, and the session will expire
            client.post("/v1/auth/logout", headers=_bearer(token))


def download(
    client: httpx.Client, token: str, request: ExportRequest, tell: Callable[[str], object] = str
) -> Iterator[bytes]:
    """Yield the file in pieces; if the iteration ends without an error, the file is complete.

    Args:
        client: a client from `connected`.
        token: the token of a session, or a personal access token.
        request: the events to export.
        tell: called with a sentence if the server no longer has all events, or none in the span.

    Raises:
        ExportStopped: the server refuses, or the token is malformed.
        httpx.RequestError: the connection broke; `connected` turns this into an `ExportStopped`.
    """
    if not (token.isascii() and token.isprintable()) or " " in token or not token:
        raise ExportStopped("No usable token.")
    with client.stream("GET", _PATH, params=request.query, headers=_bearer(token)) as answer:
        if answer.status_code != httpx.codes.OK:
            answer.read()
            if answer.status_code == httpx.codes.UNAUTHORIZED:
                raise ExportStopped("The server does not accept this token (401): it is wrong, revoked or has expired.")
            raise _stopped_by(answer)
        for code in answer.headers.get(_NOTICE, "").split(", "):
            if code in _NOTICES:
                tell(_NOTICES[code])
        yield from answer.iter_bytes()


class ReceivedCount:
    """Counts what has come of a file.

    Args:
        form: of the file.
        notice: is told after each piece.

    Attributes:
        bytes: how many.
        events: how many are whole; None for Parquet, which does not say before its end.
    """

    def __init__(self, form: Form, notice: Callable[["ReceivedCount"], object] = id) -> None:
        self._form = form
        self._notice = notice
        self._quoted = 0
        self.bytes = 0
        self.events = {"ndjson": 0, "csv": -1, "parquet": None}[form]  # the first line of CSV is its header

    def take(self, piece: bytes) -> None:
        """Go on with this piece of the file."""
        self.bytes += len(piece)
        if self.events is not None:
            self.events += self._lines(piece)
        self._notice(self)

    def _lines(self, piece: bytes) -> int:
        if self._form != "csv":
            return piece.count(b"\n")
        # A quote inside a quoted cell is doubled, so each quote leads from outside to inside or back.
        parts = piece.split(b'"')
        outside = parts[self._quoted :: 2]
        self._quoted ^= (len(parts) - 1) & 1
        return sum(part.count(b"\n") for part in outside)


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def _stopped_by(answer: httpx.Response) -> ExportStopped:
    url, status = f"{answer.url.scheme}://{answer.url.netloc.decode()}", answer.status_code
    if answer.is_redirect:
        return ExportStopped(
            f"{url} answered {status} and redirects to {answer.headers.get('location')}; pass that as --url."
        )
    return ExportStopped(f"{url} answered {status}: {_message(answer)}")


def _message(answer: httpx.Response) -> str:
    try:
        body: Any = msgspec.json.decode(answer.content)
    except msgspec.MsgspecError:
        body = None
    message = body.get("message") if isinstance(body, dict) else None
    return redact(message) if isinstance(message, str) else "this is not an answer of a Tallyroom server."
