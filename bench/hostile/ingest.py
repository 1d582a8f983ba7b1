"""Events that take long to read."""

import gzip
from collections.abc import Callable, Iterator

from bench.hostile.request import Attack, Site, post
from tallyroom.core.event_limits import MAX_BODY_BYTES, MAX_EVENTS

_SMALL_BODY = 250_000


def on_ingest() -> Iterator[Attack]:
    """`POST /v1/events`."""

    def sent(body: bytes, **headers: str) -> Callable[[Site], list[bytes]]:
        return lambda site: [post("/v1/events", body, site.key, **headers)]

    escapes = b",".join(b'"k%d":"\\u0041"' % at for at in range(24_000))
    yield Attack("ingest", "24,000 escaped texts in one event", sent(_event(escapes)))
    yield Attack("ingest", "the same in 250 kB", sent(_event(escapes[: escapes.rindex(b",", 0, _SMALL_BODY)])))
    for name, text in (("escapes", b"\\u0041" * 650), ("plain text", b"abcdef" * 650)):  # as many bytes of each
        rows = b'{"name":"x","properties":{"a":"%b"}}' % text
        yield Attack("ingest", f"500 events of {name}, 2 MB", sent(batch([rows] * MAX_EVENTS)))
    ones = b"[" + b",".join([b"1"] * 120_000) + b"]"
    yield Attack("ingest", "120,000 numbers and a line break", sent(b'{"name":"x",\n"properties":{"a":%b}}' % ones))
    yield Attack("ingest", "1,000,000 numbers", sent(_event(b'"a":[%b]' % b",".join([b"1"] * 1_000_000))))
    empty = b",".join([b"{}"] * 80_000)
    yield Attack("ingest", "80,000 objects in 250 kB", sent(_event(b'"a":[%b]' % empty)))
    yield Attack("ingest", "500,000 lists", sent(_event(b'"a":[%b]' % b",".join([b"[]"] * 600_000))))
    yield Attack("ingest", "nested 100,000 deep", sent(b'{"name":"x","properties":{"a":' + b"[" * 100_000))
    yield Attack(
        "ingest", "nested 60 deep, many times", sent(_event(b'"a":[%b]' % b",".join([b"[" * 60 + b"]" * 60] * 2_000)))
    )
    keys = b",".join(b'"%d":1' % at for at in range(22_000))
    yield Attack("ingest", "22,000 unknown fields", sent(b"{%b}" % keys))
    yield Attack("ingest", "20,000 times the same key", sent(_event(b",".join([b'"a":1'] * 40_000))))
    yield Attack(
        "ingest", "500 wrong events", sent(batch([b'{"name":"","_actor":1,"x":2,"properties":3}'] * MAX_EVENTS))
    )
    yield Attack("ingest", "30,000 events in a batch", sent(batch([b"{}"] * 80_000)))
    yield Attack("ingest", "a text of backslashes", sent(_event(b'"a":"%b"' % (b"\\\\" * 120_000))))
    wide = b",".join(b'"k%d":[%d]' % (at, 10**25 + at) for at in range(1_500))
    yield Attack("ingest", "1,500 integers beyond 64 bits", sent(_event(wide)))
    yield Attack("ingest", "a number of 250,000 digits", sent(_event(b'"a":' + b"9" * _SMALL_BODY)))
    members = gzip.compress(b"", mtime=0) * 90_000
    yield Attack("ingest", "90,000 gzip members", sent(members, **{"content-encoding": "gzip"}))
    frames = bytes.fromhex("28b52ffd2000010000") * 200_000
    yield Attack("ingest", "200,000 zstd frames", sent(frames, **{"content-encoding": "zstd"}))
    bomb = gzip.compress(b" " * 50_000_000)
    yield Attack("ingest", "a gzip bomb", sent(bomb, **{"content-encoding": "gzip"}))
    plain = _event(b'"a":"%b"' % (b"a" * MAX_BODY_BYTES))[: MAX_BODY_BYTES - 2]
    full = gzip.compress(plain, 9)
    yield Attack("ingest", "2 MB in 2 kB of gzip", sent(full, **{"content-encoding": "gzip"}))
    yield Attack("ingest", "2 MB under an Idempotency-Key", sent(plain, **{"idempotency-key": "k"}))
    yield Attack("ingest", "no key", lambda _: [post("/v1/events", _event(b""), "tr_live_" + "x" * 40)])


def _event(members: bytes) -> bytes:
    return b'{"name":"x","properties":{%b}}' % members


def batch(events: list[bytes]) -> bytes:
    """A body of events."""
    return b'{"events":[%b]}' % b",".join(events)
