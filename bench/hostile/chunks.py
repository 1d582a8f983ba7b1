"""Bodies in chunks of one byte, from many connections at once and without a credential."""

from collections.abc import Callable, Iterator

from bench.hostile.request import Attack, Site, head

_WIRE_BYTES = 240_000
_CHUNK = b"1\r\na\r\n"
_PATHS = {"a picture": "/custom/render", "no such path": "/v1/nothing", "a sign-in": "/v1/auth/login"}


def on_connections() -> Iterator[Attack]:
    """Any path that takes a body, and one that there is not."""
    for connections in (100, 300):
        for name, path in _PATHS.items():
            yield Attack("chunks", f"{name}, {connections} connections", _sent(path), connections=connections)


def _sent(path: str) -> Callable[[Site], list[bytes]]:
    named = {"content-type": "application/json", "transfer-encoding": "chunked"}
    return lambda _: [head("POST", path, named) + _CHUNK * (_WIRE_BYTES // len(_CHUNK))]
