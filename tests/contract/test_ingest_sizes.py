"""413: 500 events, 65,536 bytes an event, 2,097,152 bytes a body, sent as it is or compressed (rules/events#sizes)."""

import gzip
import json
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import refused
from harness.servers.server import Server
from harness.servers.vitals import forget_peak, memory
from harness.suite.few import few

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

EVENT = 65_536
BODY = 2_097_152
OK = {"name": "x"}

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "zstd": zstd.compress,
}


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def event_of(size: int, character: str = "x") -> dict[str, Any]:
    """An event whose compact JSON has `size` bytes, as many of them as possible in copies of `character`."""
    event: dict[str, Any] = {"name": "big", "_actor": "a", "properties": {"text": ""}}
    room = size - len(compact(event))
    width = len(compact(character)) - 2
    event["properties"]["text"] = character * (room // width) + "x" * (room % width)
    assert len(compact(event)) == size
    return event


def body_of(size: int) -> bytes:
    """A batch with `size` bytes, in which no event is too large."""
    events = [event_of(60_000) for _ in range(34)]
    room = size - len(compact({"events": [*events, event_of(100)]})) + 100
    body = compact({"events": [*events, event_of(room)]})
    assert len(body) == size
    return body


def in_pieces(body: bytes) -> Iterator[bytes]:
    """Sent chunked, without Content-Length."""
    for start in range(0, len(body), 50_000):
        yield body[start : start + 50_000]


def test_500_events_and_no_more(shared: Workspace) -> None:
    assert shared.send({"events": [OK] * 500}).json() == {"accepted": 500}
    for count in (501, 502, 5000):
        refused(shared, {"events": [OK] * count}, 413)


@pytest.mark.parametrize("wrong", [{}, 1, None, {"name": ""}])
def test_501_entries_are_too_many_whatever_they_are(shared: Workspace, wrong: Any) -> None:
    refused(shared, {"events": [wrong] * 501}, 413)


WRITTEN: dict[str, Callable[[Any], bytes]] = {
    "compact": compact,
    "indented": lambda value: json.dumps(value, ensure_ascii=False, indent=8).encode(),
    "escaped": lambda value: json.dumps(value, ensure_ascii=True).encode(),
    "slashes escaped": lambda value: compact(value).replace(b"/", b"\\/"),
    "padded": lambda value: b" \r\n\t" * 20_000 + compact(value) + b" " * 20_000,
}


@few(2, ("character", "written"), product(["x", "é", "😀", "/", '"', "\n", "\x01"], WRITTEN), ids=ascii)
def test_an_event_has_65536_bytes_however_it_is_written(shared: Workspace, character: str, written: str) -> None:
    write = WRITTEN[written]
    largest, larger = event_of(EVENT, character), event_of(EVENT + 1, character)
    assert shared.send(write(largest)).status_code == 202
    assert shared.send(write({"events": [OK, largest]})).status_code == 202
    refused(shared, write(larger), 413)
    body = refused(shared, write({"events": [OK, larger, OK]}), 413)
    assert "events[1]" in body["message"]


def test_every_field_counts_toward_the_event(shared: Workspace) -> None:
    event = {"_actorLabel": "l", "_source": "s", "_timestamp": "2026-01-01T00:00:00"} | event_of(60_000)
    event["properties"]["text"] += "x" * (EVENT - len(compact(event)))
    assert shared.send(event).status_code == 202
    for field, more in (("name", "x"), ("_actor", "x"), ("_actorLabel", "x"), ("_source", "x"), ("_timestamp", "Z")):
        refused(shared, event | {field: event[field] + more}, 413)


def test_a_large_key_counts_toward_the_event(shared: Workspace) -> None:
    room = EVENT - len(compact({"name": "x", "properties": {"": 1}}))
    assert shared.send({"name": "x", "properties": {"k" * room: 1}}).status_code == 202
    refused(shared, {"name": "x", "properties": {"k" * (room + 1): 1}}, 413)


@pytest.mark.long
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_has_2097152_bytes(shared: Workspace, chunked: bool) -> None:
    for size, status in ((BODY, 202), (BODY + 1, 413), (BODY * 2, 413)):
        body = compact(OK) + b" " * (size - len(compact(OK))) if size > BODY else body_of(size)
        with shared.client(shared.key) as client:
            answer = client.post(
                "/v1/events",
                content=in_pieces(body) if chunked else body,
                headers={"content-type": "application/json"},
            )
        assert answer.status_code == status


def test_white_space_counts_toward_the_body(shared: Workspace) -> None:
    assert shared.send(compact(OK) + b" " * (BODY - len(compact(OK)))).status_code == 202
    refused(shared, compact(OK) + b" " * (BODY + 1 - len(compact(OK))), 413)


@few(2, "encoding", COMPRESS)
def test_the_inflated_body_has_2097152_bytes(shared: Workspace, encoding: str) -> None:
    headers = {"content-encoding": encoding}
    assert shared.send(COMPRESS[encoding](body_of(BODY)), headers=headers).status_code == 202
    refused(shared, COMPRESS[encoding](body_of(BODY) + b" "), 413, headers=headers)
    refused(shared, COMPRESS[encoding](compact({"events": [OK] * 501})), 413, headers=headers)
    refused(shared, COMPRESS[encoding](compact(event_of(EVENT + 1))), 413, headers=headers)


MEBIBYTE = b" " * 2**20
MANY = 512


def many_members() -> bytes:
    return gzip.compress(MEBIBYTE) * MANY


def one_stream() -> bytes:
    """Bare deflate: what ends in a full flush may be repeated, for nothing in it points back to what is before."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return (deflate.compress(MEBIBYTE) + deflate.flush(zlib.Z_FULL_FLUSH)) * MANY + b"\x03\x00"


def one_member() -> bytes:
    checksum = 0
    for _ in range(MANY):
        checksum = zlib.crc32(MEBIBYTE, checksum)
    return gzip.compress(b"")[:10] + one_stream() + struct.pack("<II", checksum, MANY * len(MEBIBYTE))


def one_frame() -> bytes:
    compressor = zstd.ZstdCompressor()
    return b"".join(compressor.compress(MEBIBYTE) for _ in range(MANY)) + compressor.flush()


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "many gzip members": ("gzip", many_members),
    "one gzip member": ("x-gzip", one_member),
    "deflate": ("deflate", one_stream),
    "zstd": ("zstd", one_frame),
}


@pytest.mark.parametrize(("encoding", "bomb"), BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_refused_without_being_inflated(
    server: Server, shared: Workspace, encoding: str, bomb: Callable[[], bytes]
) -> None:
    """Each inflates to 512 MiB; what else the server does meanwhile takes less than half of that."""
    sent = bomb()
    assert len(sent) < BODY
    before = forget_peak(server)
    refused(shared, sent, 413, headers={"content-encoding": encoding})
    assert memory(server, "VmHWM") - before < 256_000_000


@pytest.mark.parametrize("encoding", COMPRESS)
@pytest.mark.parametrize("harm", ["cut", "garbage", "plain", "empty", "tail"])
def test_400_a_body_that_does_not_inflate(shared: Workspace, encoding: str, harm: str) -> None:
    whole = COMPRESS[encoding](compact(OK))
    sent = {"cut": whole[:-1], "garbage": b"\xff" * 50, "plain": compact(OK), "empty": b"", "tail": whole + b"tail"}
    refused(shared, sent[harm], 400, headers={"content-encoding": encoding})
