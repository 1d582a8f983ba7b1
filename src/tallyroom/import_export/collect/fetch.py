"""Requests data from another listing, and retries a busy one when it says, or at growing intervals."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, Self

import httpx
import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.log import redact
from tallyroom.import_export.connection import backoff_seconds, read_retry_after

_TIMEOUT_SECONDS: Final = 30.0
_MAX_BYTES: Final = 16 * 1024**2
_MAX_REDIRECTS: Final = 5
_RETRY_STATUSES: Final = frozenset({408, 429, 500, 502, 503, 504})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class SourceFailed(TallyroomError):
    """The other listing did not return the requested data; the message has the reason."""


class SourceNotFound(SourceFailed):
    """The other listing answered 404."""


class Fetcher:
    """The connection to one source; sends `headers` only to its host. Raises `SourceFailed` if they are unusable."""

    def __init__(
        self,
        source_url: str,
        headers: Mapping[str, str],
        *,
        patience_seconds: float,
        clock: Clock,
        random: Random,
        sleep: Callable[[float], object],
    ) -> None:
        self._patience_seconds = patience_seconds
        self._clock = clock
        self._random = random
        self._sleep = sleep
        if not all(text.isascii() and text.isprintable() for header in headers.items() for text in header):
            raise SourceFailed("The source token and its header name must contain only printable ASCII characters.")
        try:
            url = httpx.URL(source_url)
            is_https = url.scheme == "https"  # reading the machine's certificates takes 20 ms
            self._client = httpx.Client(headers=dict(headers), timeout=_TIMEOUT_SECONDS, verify=is_https)
        except (httpx.InvalidURL, ValueError, OSError) as error:
            raise SourceFailed(f"{source_url} cannot be requested: {redact(str(error))}.") from error
        if url.scheme not in _DEFAULT_PORTS or not url.host:
            raise SourceFailed(f"{source_url} is not the address of a source, such as https://list.example/api/bots.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def get_json(self, url_text: str, query: Mapping[str, str]) -> Any:
        """Return the JSON in the source's answer, or raise `SourceFailed`; `query` is added to the query of the URL."""
        url = httpx.URL(url_text).copy_merge_params(dict(query))
        started_at, attempt_count = self._clock.monotonic(), 0
        while True:
            answer, problem = self._get_once(url)
            if answer is not None and answer.is_success:
                return _parse_json(answer)
            if answer is not None and answer.status_code == httpx.codes.NOT_FOUND:
                raise SourceNotFound(problem)
            if answer is not None and answer.status_code not in _RETRY_STATUSES:
                raise SourceFailed(problem)
            pause_seconds = None if answer is None else read_retry_after(answer, self._clock.now_ms())
            if pause_seconds is None:
                pause_seconds = backoff_seconds(attempt_count, self._random)
            if self._clock.monotonic() - started_at + pause_seconds > self._patience_seconds:
                raise SourceFailed(f"{problem} Gave up, because --patience is {self._patience_seconds:g} seconds.")
            self._sleep(pause_seconds)
            attempt_count += 1

    def _get_once(self, url: httpx.URL) -> tuple[httpx.Response | None, str]:
        """Return the answer or None, and a sentence that describes the problem if it persists."""
        try:
            for _ in range(_MAX_REDIRECTS):
                answer = self._get_without_redirect(url)
                if answer.next_request is None:
                    return answer, f"{redact_url(url)} responded with {answer.status_code}."
                url = _check_redirect(url, answer.next_request.url)
        except httpx.RequestError as error:
            return None, f"{redact_url(url)} does not respond: {redact(str(error)) or type(error).__name__}."
        raise SourceFailed(f"{redact_url(url)} redirects more than {_MAX_REDIRECTS} times.")

    def _get_without_redirect(self, url: httpx.URL) -> httpx.Response:
        with self._client.stream("GET", url) as answer:
            content = bytearray()
            for chunk in answer.iter_bytes():
                content += chunk
                if len(content) > _MAX_BYTES:
                    raise SourceFailed(f"{redact_url(url)} sent more than {_MAX_BYTES:,} bytes; request smaller pages.")
        response = httpx.Response(answer.status_code, content=bytes(content), request=answer.request)
        response.headers.update({name: answer.headers[name] for name in ("retry-after",) if name in answer.headers})
        response.next_request = answer.next_request
        return response


def _check_redirect(url: httpx.URL, target_url: httpx.URL) -> httpx.URL:
    """Return the target of a redirect; refuse another host, which must not get the token."""
    if _get_origin(target_url) != _get_origin(url):
        redirect = f"{redact_url(url)} redirects to {redact_url(target_url)}"
        raise SourceFailed(f"{redirect}, another host; if you trust it, pass it as --source.")
    return target_url


def _get_origin(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or _DEFAULT_PORTS.get(url.scheme, 0)


def _parse_json(answer: httpx.Response) -> Any:
    try:
        return msgspec.json.decode(answer.content)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise SourceFailed(f"{redact_url(answer.url)} did not respond with JSON: {error}.") from error


def redact_url(url: httpx.URL | str) -> str:
    """Return the URL without query and user, which may contain a secret."""
    return str(httpx.URL(url).copy_with(query=None, fragment=None, userinfo=b""))
