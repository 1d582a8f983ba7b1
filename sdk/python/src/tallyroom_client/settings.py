"""What a client is given: arguments first, then the environment, then defaults."""

import os
import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

DEFAULT_URL = "http://127.0.0.1:8480"

_OFF = frozenset({"0", "false", "no", "off"})
_URL_PATTERN = re.compile(r"https?://[!-~]+")
_KEY_PATTERN = re.compile(r"[!-~]+")

Durability = Literal["process", "disk"]


class Settings(NamedTuple):
    """A client's settings. `queue` is a folder, None for the default folder, or False for memory."""

    key: str
    url: str
    queue: str | Literal[False] | None
    is_enabled: bool
    durable: Durability


def read_settings(
    key: str | None,
    url: str | None,
    queue: str | os.PathLike[str] | Literal[False] | None,
    *,
    enabled: bool,
    durable: Durability,
    environment: Mapping[str, str] = os.environ,
) -> Settings:
    """Complete the arguments with the environment; raises `ValueError` for a key or URL that cannot work."""
    is_enabled = enabled and environment.get("TALLYROOM_ENABLED", "").lower() not in _OFF
    key = environment.get("TALLYROOM_KEY", "") if key is None else key
    url = environment.get("TALLYROOM_URL") or DEFAULT_URL if url is None else url
    if is_enabled and not key:
        raise ValueError("no API key: set TALLYROOM_KEY or pass key=, or turn the client off with enabled=False")
    if is_enabled and not _KEY_PATTERN.fullmatch(key):
        raise ValueError("the API key has characters that no key has")
    if not _URL_PATTERN.fullmatch(url):
        raise ValueError("url is not the address of a server, such as https://tally.example.com")
    if durable not in ("process", "disk"):
        raise ValueError('durable is neither "process" nor "disk"')
    return Settings(key, url.rstrip("/"), _choose_queue(queue, environment), is_enabled, durable)


def _choose_queue(
    queue: str | os.PathLike[str] | Literal[False] | None, environment: Mapping[str, str]
) -> str | Literal[False] | None:
    if queue is None:
        queue = environment.get("TALLYROOM_QUEUE") or None
        if queue is not None and queue.lower() in _OFF:
            return False
    if queue is False or queue is None:
        return queue
    return os.fspath(queue)
