"""Lengths of the text fields, and compressed bodies (rules/events#text-fields)."""

import gzip
import json
import sys
import zlib
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from harness.clients.actor import actor, actors
from harness.clients.workspace import Workspace
from harness.oracles.refusal import refused
from harness.suite.few import few

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAX = {"name": 128, "_actor": 256, "_actorLabel": 256, "_source": 128}

# One character each: a code point, however many bytes or UTF-16 units it takes.
CHARACTERS = ["x", "é", "😀", "\u0301", "\ufeff"]


@few(4, ("field", "character", "escaped"), product(MAX, CHARACTERS, [False, True]), ids=ascii)
def test_lengths_count_code_points(shared: Workspace, field: str, character: str, escaped: bool) -> None:
    def body(length: int) -> bytes:
        event = {"name": "x", "_actor": "a"} | {field: character * length}
        return json.dumps(event, ensure_ascii=escaped).encode()

    for length in (1, MAX[field]):
        assert shared.send(body(length)).status_code == 202
    refusal = refused(shared, body(MAX[field] + 1), 400)
    assert [detail["path"] for detail in refusal["details"]] == [[field]]


@pytest.mark.long
@pytest.mark.parametrize("field", ["_actor", "_actorLabel", "_source"])
def test_an_empty_optional_text_is_like_none(workspace: Workspace, field: str) -> None:
    assert workspace.send({"name": "x", "_actor": "a", "_source": "s"} | {field: ""}).status_code == 202
    found = actors(workspace)
    if field == "_actor":
        assert found == []
    else:
        assert found[0]["label"] is None
        assert actor(workspace, "a")["timeline"][0]["source"] == (None if field == "_source" else "s")


def test_the_longest_fields_come_back(workspace: Workspace) -> None:
    event = {field: "😀" * length for field, length in MAX.items()}
    assert workspace.send(event).status_code == 202
    found = actor(workspace, event["_actor"])
    assert (found["actorKey"], found["label"]) == (event["_actor"], event["_actorLabel"])
    assert (found["timeline"][0]["name"], found["timeline"][0]["source"]) == (event["name"], event["_source"])


ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZIP": gzip.compress,
    "deflate": zlib.compress,
    "zstd": zstd.compress,
    "identity": bytes,
}


def bare_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(data) + stream.flush()


def two_members(data: bytes) -> bytes:
    return gzip.compress(data[:9]) + gzip.compress(data[9:])


@few(
    2,
    ("encoding", "compress"),
    [*ENCODINGS.items(), ("deflate", bare_deflate), ("gzip", two_members)],
)
def test_compressed_bodies_are_taken(shared: Workspace, encoding: str, compress: Callable[[bytes], bytes]) -> None:
    key = f"{encoding} {compress}"
    events: list[Any] = [{"name": f"é{n}", "_actor": key, "properties": {"n": n}} for n in range(100)]
    sent = compress(json.dumps({"events": events}).encode())
    answer = shared.send(sent, headers={"content-encoding": encoding})
    assert (answer.status_code, answer.json()) == (202, {"accepted": 100})
    names = {moment["name"] for moment in actor(shared, key)["timeline"]}
    assert names == {event["name"] for event in events}
