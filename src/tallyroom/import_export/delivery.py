"""Posts one body after another, and retries if the server is busy, stopped or restarting, or limits the rate.

Retrying is safe even if an answer was lost: requests with events have an idempotency key, and a listing recognizes its
rows by their content.
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
from tallyroom.import_export.connection import (
    backoff_seconds,
    describe_answer,
    is_local,
    open_client,
    parse_body,
    read_retry_after,
)
from tallyroom.import_export.endpoint import Endpoint

_ANSWER_TIMEOUT_SECONDS: Final = 60.0
_GZIP_LEVEL: Final = 1  # 112 kB of usual events become 16 kB in 0.27 ms; level 6 saves 4 kB more and takes 0.92 ms
_RETRY_STATUSES: Final = frozenset({409, 429, 500, 502, 503, 504})
_OK_STATUSES: Final = frozenset({200})
_CONNECT_ERRORS: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

_Attempt = tuple[httpx.Response | None, str]
"""An answer or None, and the message to show if it is the last one."""


class ImportStopped(TallyroomError):
    """The server does not accept the rest, or was not reached in time; the message says which."""


class ServerUnreachable(ImportStopped):
    """The server was not reached in time. The same import may succeed later."""


class Reply(msgspec.Struct, frozen=True):
    """The answer that settled a body; `body` is its JSON object, or empty. A replay had already been counted."""

    status: int
    is_replay: bool
    body: dict[str, Any]

    def count_replays(self, row_count: int) -> int:
        """Return how many of the `row_count` rows of an accepted body had already been counted."""
        replay_count = self.body.get("known")
        if replay_count is None:  # if the server cannot say, it at least knows about votes
            replay_count = self.body.get("repeated")
        return row_count if self.is_replay else replay_count if isinstance(replay_count, int) else 0


class Delivery:
    """Delivers bodies to one server, from any thread; gives up a body after `patience_seconds` without an answer.

    `notify` is called once, with a sentence, if the server cannot be reached. Raises `AddressUnusable`, or
    `ImportStopped` for a malformed credential, an API key or a stats token.
    """

    def __init__(
        self,
        url: str,
        credential: str,
        endpoint: Endpoint,
        *,
        patience_seconds: float,
        clock: Clock,
        random: Random,
        notify: Callable[[str], object],
    ) -> None:
        if not (credential.isascii() and credential.isprintable()) or " " in credential or not credential:
            credential_name, how_to_set = endpoint.credential_hint
            raise ImportStopped(f"No usable {credential_name}: set {how_to_set}.")
        self.endpoint = endpoint
        self._url = url.rstrip("/")
        self._patience_seconds = patience_seconds
        self._clock = clock
        self._random = random
        self._notify = notify
        self._is_notified = False
        self._pause_until_s = 0.0
        self._uncertain_keys: set[str] = set()
        self._stop_event = threading.Event()
        headers = {"authorization": f"Bearer {credential}", "content-type": "application/json"}
        self._client = open_client(url, headers, _ANSWER_TIMEOUT_SECONDS)
        self._must_compress = not is_local(self._client)

    def post(self, body: bytes, key: str) -> Reply:
        """Send a body until it is accepted or refused; raises `ServerUnreachable`, or `ImportStopped` if useless."""
        content = self._encode_body(body)
        return _to_reply(self._send_until(lambda: self._post_once(content, key), self.endpoint.final_statuses))

    def get_json(self, path: str) -> dict[str, Any]:
        """Return the JSON object at `path`, retrying until the server returns it; raises as `post` does."""
        return parse_body(self._send_until(lambda: self._get_once(path), _OK_STATUSES))

    def try_get_json(self, path: str) -> dict[str, Any]:
        """Return the JSON object at `path` in a single attempt; empty if the server does not return it."""
        answer, _ = self._get_once(path)
        return parse_body(answer) if answer is not None and answer.status_code in _OK_STATUSES else {}

    def may_be_accepted(self, key: str) -> bool:
        """Return whether a request with this key may have been accepted although no answer confirmed it."""
        return key in self._uncertain_keys

    def _send_until(self, send_request: Callable[[], _Attempt], final_statuses: frozenset[int]) -> httpx.Response:
        started_at, attempt = self._clock.monotonic(), 0
        while True:
            self._pause(self._pause_until_s - self._clock.monotonic())
            answer, problem = send_request()
            status = 0 if answer is None else answer.status_code
            if answer is not None and status in final_statuses:
                return answer
            if answer is not None and status not in _RETRY_STATUSES:
                raise self._build_stopped_error(answer)
            retry_after = None if answer is None else read_retry_after(answer, self._clock.now_ms())
            if status == httpx.codes.TOO_MANY_REQUESTS:  # the server is reachable, and says when to continue
                started_at = self._clock.monotonic()
            elif (elapsed := self._clock.monotonic() - started_at) >= self._patience_seconds:
                raise ServerUnreachable(f"{problem} Gave up after {self._patience_seconds:g} seconds.")
            elif retry_after is not None and elapsed + retry_after > self._patience_seconds:
                pause_note = f"It asks for a pause of {retry_after:.0f} seconds, which is longer than --patience"
                raise ServerUnreachable(f"{problem} {pause_note} ({self._patience_seconds:g}).")
            if retry_after is not None and status != httpx.codes.CONFLICT:  # a conflict concerns only one key
                self._pause_until_s = self._clock.monotonic() + retry_after
            self._say_and_pause(backoff_seconds(attempt, self._random) if retry_after is None else retry_after, problem)
            attempt += 1

    def post_after(self, body: bytes, key: str, previous_key: str) -> Reply | None:
        """Send a body once, to be accepted only after the batch `previous_key`; None if no answer settles it."""
        if self._pause_until_s > self._clock.monotonic() or self._stop_event.is_set():
            return None
        answer, _ = self._post_once(self._encode_body(body), key, previous_key)
        return _to_reply(answer) if answer is not None and answer.status_code in self.endpoint.final_statuses else None

    def now_ms(self) -> int:
        """Return the local time, in milliseconds since 1970 UTC."""
        return self._clock.now_ms()

    def stop(self) -> None:
        """Stop all threads from waiting or sending."""
        self._stop_event.set()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _encode_body(self, body: bytes) -> bytes:
        return gzip.compress(body, _GZIP_LEVEL, mtime=0) if self._must_compress else body

    def _post_once(self, content: bytes, key: str, previous_key: str = "") -> _Attempt:
        encoding = "gzip" if self._must_compress else ""
        optional_headers = {"idempotency-key": key, "idempotency-after": previous_key, "content-encoding": encoding}
        headers = {name: value for name, value in optional_headers.items() if value}
        try:
            answer = self._client.post(self.endpoint.path, content=content, headers=headers)
        except httpx.RequestError as error:
            if not isinstance(error, _CONNECT_ERRORS):
                self._uncertain_keys.add(key)
            return self._describe_failure(error)
        if answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:  # perhaps a proxy, or a late disk failure
            self._uncertain_keys.add(key)
        return answer, describe_answer(self._url, answer)

    def _get_once(self, path: str) -> _Attempt:
        try:
            answer = self._client.get(path)
        except httpx.RequestError as error:
            return self._describe_failure(error)
        return answer, describe_answer(self._url, answer)

    def _describe_failure(self, error: httpx.RequestError) -> _Attempt:
        return None, f"{self._url} does not respond: {redact(str(error)) or type(error).__name__}."

    def _build_stopped_error(self, answer: httpx.Response) -> ImportStopped:
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            credential = self.endpoint.credential_hint[0]
            return ImportStopped(f"{self._url} does not accept this {credential} (401): it is wrong or revoked.")
        return ImportStopped(describe_answer(self._url, answer))

    def _say_and_pause(self, seconds: float, problem: str) -> None:
        if not self._is_notified:
            self._is_notified = True
            self._notify(f"{problem} Trying again.")
        self._pause(seconds)

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            self._stop_event.wait(seconds)
        if self._stop_event.is_set():
            raise ImportStopped("Stopped.")


def _to_reply(answer: httpx.Response) -> Reply:
    is_replay = answer.headers.get("idempotent-replayed") == "true"
    return Reply(answer.status_code, is_replay, parse_body(answer))
