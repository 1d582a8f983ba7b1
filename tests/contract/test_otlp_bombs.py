"""Small bodies that would grow: each is refused, and in bounded memory (rules/events#otlp-requests)."""

import gzip
from collections.abc import Callable, Iterator

import pytest

from harness.clients.telemetry import JSON, PROTOBUF, post
from harness.clients.workspace import sign_up
from harness.servers.server import Server
from harness.servers.vitals import forget_peak, memory
from harness.suite.few import few
from tallyroom.core.zstd import zstd

MIB = 1 << 20
MOST = 400_000_000

BOMBS = {
    "zeros": (PROTOBUF, b"", b"\x00", 200 * MIB, b""),
    "empty resources": (PROTOBUF, b"", b"\x0a\x00", 32 * MIB, b""),
    "empty scopes": (PROTOBUF, b"\x0a\x80\x80\x80\x18", b"\x12\x00", 24 * MIB, b""),
    "empty lists": (JSON, b'{"x":[', b"[],", 20 * MIB, b"1]}"),
    "empty objects": (JSON, b'{"resourceSpans":[', b"{},", 20 * MIB, b"{}]}"),
    "numbers": (JSON, b'{"resourceSpans":[', b"9999,", 12 * MIB, b"1]}"),
}
"""Content type, beginning, what is repeated and how often, and end. Nobody else needs half a gigabyte of them."""


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose memory nobody else fills."""
    running = Server(tmp_path_factory.mktemp("bombs") / "data", open_signup="true").start()
    yield running
    running.stop()


@few(
    2,
    ("bomb", "compress"),
    [
        *[pytest.param(bomb, zstd.compress, id=f"{bomb}-zstd") for bomb in BOMBS],
        *[
            pytest.param(
                bomb,
                gzip.compress,
                id=f"{bomb}-gzip",
                marks=[] if bomb in ("zeros", "empty lists") else pytest.mark.long,
            )
            for bomb in BOMBS
        ],
    ],
)
def test_a_bomb_is_refused(alone: Server, bomb: str, compress: Callable[[bytes], bytes]) -> None:
    content_type, beginning, repeated, times, end = BOMBS[bomb]
    body = beginning + repeated * times + end
    workspace = sign_up(alone.url)
    encoding = "gzip" if compress is gzip.compress else "zstd"
    before = forget_peak(alone)
    answer = post(
        workspace, "traces", compress(body), headers={"content-type": content_type, "content-encoding": encoding}
    )
    assert answer.status_code == 413, answer.content
    assert memory(alone, "VmHWM") - before < MOST
    assert workspace.send({"name": "n"}).status_code == 202
