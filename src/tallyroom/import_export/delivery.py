"""Posts one body after the other, and retries if the server is busy, stopped or restarting, or limits the rate.

Retrying is safe: requests with events have an idempotency key, and a listing recognizes its rows by their content.
Whatever became of a request whose answer was lost, the server counts its rows once.
"""

import gzip
import threading
from collections.abc import Callable
from random import Random
from typing import Any, Final

import httpx
import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.log import redact
from tallyroom.import_export.connection import is_near, open_client
from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.retry_delay import told_by, usual_pause

_ANSWER_SECONDS: Final = 60.0
_ZIP_LEVEL: Final = 1  # 112 kB of usual events become 16 kB in 0.27 ms; level 6 saves 4 kB more and takes 0.92 ms
_AGAIN: Final = frozenset({409, 429, 500, 502, 503, 504})
_OK_STATUSES: Final = frozenset({200})
_NOTHING_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

_Said = tuple[httpx.Response | None, str]
"""An answer, or None, and what to say if it remains the last one."""


class ImportStopped(TallyroomError):
    """The server will not take the rest, or was not reached in time; the message says which."""


class GivenUp(ImportStopped):
    """The server was not reached in time, so the same import may well succeed later."""


class Reply(msgspec.Struct, frozen=True):
    """The last answer to a body.

    Attributes:
        status: one that settles the body.
        is_replay: whether the server had already counted the whole body.
        body: the JSON object of the answer; empty if the answer was not one.
    """

    status: int
    is_replay: bool
    body: dict[str, Any]

    def repeated(self, rows: int) -> int:
        """Return how many of the `rows` of an accepted body had already been counted."""
        count = self.body.get("known")
        if count is None:  # where the server cannot tell, it knows of votes at least
            count = self.body.get("repeated")
        return rows if self.is_replay else count if isinstance(count, int) else 0


class Delivery:
    """Delivers bodies to one server; several threads may use it at once.

    Args:
        url: the server's address, without a path.
        credential: the API key, or the stats token.
        endpoint: the endpoint that takes the rows.
        patience: the seconds after which a body without an answer is given up.
        clock: measures the patience.
        chance: spreads the retries.
        notice: called once, with a sentence, if the server cannot be reached.

    Raises:
        AddressUnusable: no connection can be made to the address.
        ImportStopped: the credential cannot be one.
    """

    def __init__(  # where to, and how to wait
        self,
        url: str,
        credential: str,
        endpoint: Endpoint,
        *,
        patience: float,
        clock: Clock,
        chance: Random,
        notice: Callable[[str], object],
    ) -> None:
        if not (credential.isascii() and credential.isprintable()) or " " in credential or not credential:
            name, source = endpoint.credential
            raise ImportStopped(f"No usable {name}: set {source}.")
        self.endpoint = endpoint
        self._url = url.rstrip("/")
        self._patience = patience
        self._clock = clock
        self._chance = chance
        self._notice = notice
        self._noticed = False
        self._open_again = 0.0
        self._unsure: set[str] = set()
        self._stopped = threading.Event()
        headers = {"authorization": f"Bearer {credential}", "content-type": "application/json"}
        self._client = open_client(url, headers, _ANSWER_SECONDS)
        self._zips = not is_near(self._client)

    def post(self, body: bytes, key: str) -> Reply:
        """Send a body until it is settled: accepted, or refused because of its content.

        Args:
            body: the content.
            key: the idempotency key; empty for none.

        Raises:
            GivenUp: the body was not settled in time.
            ImportStopped: continuing is useless.
        """
        content = self._content(body)
        return _reply(self._persist(lambda: self._ask(content, key), self.endpoint.final_statuses))

    def read(self, path: str) -> dict[str, Any]:
        """Return the JSON object at `path`, retrying until the server gives it.

        Raises:
            GivenUp: the server did not answer in time.
            ImportStopped: continuing is useless.
        """
        return _body(self._persist(lambda: self._get(path), _OK_STATUSES))

    def glance(self, path: str) -> dict[str, Any]:
        """Return the JSON object at `path` with a single attempt; empty if the server does not give it."""
        answer, _ = self._get(path)
        return _body(answer) if answer is not None and answer.status_code in _OK_STATUSES else {}

    def may_count(self, key: str) -> bool:
        """Return whether a request with this key may have been accepted without an answer saying so."""
        return key in self._unsure

    def _persist(self, ask: Callable[[], _Said], final_statuses: frozenset[int]) -> httpx.Response:
        """Repeat the request until the answer has one of these statuses."""
        since, attempt = self._clock.monotonic(), 0
        while True:
            self._pause(self._open_again - self._clock.monotonic())
            answer, problem = ask()
            status = 0 if answer is None else answer.status_code
            if answer is not None and status in final_statuses:
                return answer
            if answer is not None and status not in _AGAIN:
                raise self._stopped_by(answer)
            retry_after = None if answer is None else told_by(answer, self._clock.now_ms())
            if status == httpx.codes.TOO_MANY_REQUESTS:  # the server is reachable, and says when to continue
                since = self._clock.monotonic()
            elif (elapsed := self._clock.monotonic() - since) >= self._patience:
                raise GivenUp(f"{problem} Gave up after {self._patience:g} seconds.")
            elif retry_after is not None and elapsed + retry_after > self._patience:
                asks = f"It asks for a pause of {retry_after:.0f} seconds"
                raise GivenUp(f"{problem} {asks}, which is beyond --patience ({self._patience:g}).")
            if retry_after is not None and status != httpx.codes.CONFLICT:  # a conflict concerns only one key
                self._open_again = self._clock.monotonic() + retry_after
            self._wait(usual_pause(attempt, self._chance) if retry_after is None else retry_after, problem)
            attempt += 1

    def post_behind(self, body: bytes, key: str, front: str) -> Reply | None:
        """Send a body once, to be accepted only after the one with the key `front`; None without a settling answer."""
        if self._open_again > self._clock.monotonic() or self._stopped.is_set():
            return None
        answer, _ = self._ask(self._content(body), key, front)
        return _reply(answer) if answer is not None and answer.status_code in self.endpoint.final_statuses else None

    def now_ms(self) -> int:
        """Return the local time, in milliseconds since 1970 UTC."""
        return self._clock.now_ms()

    def stop(self) -> None:
        """Keep all threads from waiting or sending any longer."""
        self._stopped.set()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _content(self, body: bytes) -> bytes:
        return gzip.compress(body, _ZIP_LEVEL, mtime=0) if self._zips else body

    def _ask(self, content: bytes, key: str, front: str = "") -> _Said:
        coding = "gzip" if self._zips else ""
        optional_headers = {"idempotency-key": key, "idempotency-after": front, "content-encoding": coding}
        headers = {name: value for name, value in optional_headers.items() if value}
        try:
            answer = self._client.post(self.endpoint.path, content=content, headers=headers)
        except httpx.RequestError as error:
            if not isinstance(error, _NOTHING_SENT):
                self._unsure.add(key)
            return self._silence(error)
        if answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:  # perhaps by a proxy, or after a late disk failure
            self._unsure.add(key)
        return self._answered(answer)

    def _get(self, path: str) -> _Said:
        try:
            return self._answered(self._client.get(path))
        except httpx.RequestError as error:
            return self._silence(error)

    def _answered(self, answer: httpx.Response) -> _Said:
        return answer, f"{self._url} answered {answer.status_code}: {_message(answer)}"

    def _silence(self, error: httpx.RequestError) -> _Said:
        return None, f"{self._url} does not answer: {redact(str(error)) or type(error).__name__}."

    def _stopped_by(self, answer: httpx.Response) -> ImportStopped:
        url, status = self._url, answer.status_code
        if status == httpx.codes.UNAUTHORIZED:
            credential = self.endpoint.credential[0]
            return ImportStopped(f"{url} does not accept this {credential} (401): it is wrong or revoked.")
        if answer.is_redirect:
            location = answer.headers.get("location")
            return ImportStopped(f"{url} answered {status} and redirects to {location}; pass that as --url.")
        return ImportStopped(f"{url} answered {status}: {_message(answer)}")

    def _wait(self, seconds: float, problem: str) -> None:
        if not self._noticed:
            self._noticed = True
            self._notice(f"{problem} Trying again.")
        self._pause(seconds)

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            self._stopped.wait(seconds)
        if self._stopped.is_set():
            raise ImportStopped("Stopped.")


def _reply(answer: httpx.Response) -> Reply:
    is_replay = answer.headers.get("idempotent-replayed") == "true"
    return Reply(answer.status_code, is_replay, _body(answer))


def _body(answer: httpx.Response) -> dict[str, Any]:
    try:
        return msgspec.json.decode(answer.content, type=dict[str, Any])
    except msgspec.MsgspecError:
        return {}


def _message(answer: httpx.Response) -> str:
    message = _body(answer).get("message")
    if not isinstance(message, str):
        return "this is not an answer of a Tallyroom server."
    return redact(message).rstrip(".") + "."
