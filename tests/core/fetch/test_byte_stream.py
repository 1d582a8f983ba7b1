"""A complete answer counts, however its connection ends, on both event loops (rules/safety#outbound-requests)."""

import asyncio
import gzip
import random
from collections.abc import Callable, Coroutine
from ipaddress import ip_network
from typing import Any

import pytest
import uvloop

from core.fetch.conftest import HOST, Certify
from harness.servers.outside import Ending, OutsideServer, answer, saying
from tallyroom.core.fetch.exchange import INCOMPLETE, MAX_BODY_BYTES, TOO_LARGE
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.rules import OutboundRules

LOOPBACK = OutboundRules((ip_network("127.0.0.0/8"),), allows_http=True)
NOISE = random.Random(1).randbytes(MAX_BODY_BYTES)
UNTIL_THE_END = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"
SIZES = [0, 1, 65_536, 131_072, 131_073, 262_144, 600_000, MAX_BODY_BYTES]

Run = Callable[[Coroutine[Any, Any, OutboundAnswer]], OutboundAnswer]
both_loops = pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
all_endings = pytest.mark.parametrize("ending", ["fin", "reset", "notify"])


def get(server: OutsideServer, run: Run, scheme: str = "https", **fields: Any) -> OutboundAnswer:
    fetcher = GuardedFetcher(LOOPBACK, lambda _host, _port: ["127.0.0.1"])
    return run(fetcher.send(OutboundRequest(url=f"{scheme}://{HOST}:{server.port}/", **fields)))


def refusal(server: OutsideServer, run: Run, scheme: str = "https") -> str:
    with pytest.raises(FetchFailed) as failed:
        get(server, run, scheme)
    return str(failed.value)


def chunked(body: bytes, size: int) -> bytes:
    pieces = (body[start : start + size] for start in range(0, len(body), size))
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@both_loops
@all_endings
@pytest.mark.parametrize("size", SIZES)
def test_an_answer_of_a_stated_length_counts(
    certify: Certify, trust: None, run: Run, ending: Ending, size: int
) -> None:
    with OutsideServer(saying(answer(NOISE[:size])), certify(HOST), ending) as server:
        assert get(server, run).body == NOISE[:size]


@both_loops
@all_endings
@pytest.mark.parametrize("size", [100, 16_000])
def test_an_answer_in_chunks_counts(certify: Certify, trust: None, run: Run, ending: Ending, size: int) -> None:
    with OutsideServer(saying(chunked(NOISE, size)), certify(HOST), ending) as server:
        assert get(server, run).body == NOISE


@both_loops
@all_endings
def test_a_compressed_answer_counts(certify: Certify, trust: None, run: Run, ending: Ending) -> None:
    said = answer(gzip.compress(NOISE), content_encoding="gzip")
    with OutsideServer(saying(said), certify(HOST), ending) as server:
        assert get(server, run).body == NOISE


@both_loops
@all_endings
def test_one_byte_more_is_refused(certify: Certify, trust: None, run: Run, ending: Ending) -> None:
    for said in (answer(NOISE + b"x"), chunked(NOISE + b"x", 16_000)):
        with OutsideServer(saying(said), certify(HOST), ending) as server:
            assert refusal(server, run) == TOO_LARGE


@both_loops
@all_endings
def test_without_tls_a_stated_length_counts_too(run: Run, ending: Ending) -> None:
    with OutsideServer(saying(answer(NOISE)), None, ending) as server:
        assert get(server, run, "http").body == NOISE


@both_loops
@pytest.mark.parametrize("size", [2, 200_000, MAX_BODY_BYTES])
def test_an_answer_until_the_end_needs_an_end_that_its_server_has_declared(
    certify: Certify, trust: None, run: Run, size: int
) -> None:
    """Anybody on the way can cut a TCP connection, and the rest of such an answer would not be missed."""
    say = saying(UNTIL_THE_END + NOISE[:size])
    with OutsideServer(say, certify(HOST), "notify") as server:
        assert get(server, run).body == NOISE[:size]
    for ending in ("fin", "reset"):
        with OutsideServer(say, certify(HOST), ending) as server:
            assert refusal(server, run) == INCOMPLETE


@both_loops
def test_without_tls_the_end_of_the_connection_is_the_end_of_the_answer(run: Run) -> None:
    say = saying(UNTIL_THE_END + NOISE)
    with OutsideServer(say) as server:
        assert get(server, run, "http").body == NOISE
    with OutsideServer(say, None, "reset") as server:
        assert refusal(server, run, "http") == INCOMPLETE


@both_loops
@all_endings
@pytest.mark.parametrize(
    "said", [answer(NOISE)[:-1], answer(b"", content_length="1"), chunked(NOISE, 16_000)[:-5], b"HTTP/1.1 200 OK\r\n"]
)
def test_an_answer_that_is_cut_short_does_not(
    certify: Certify, trust: None, run: Run, ending: Ending, said: bytes
) -> None:
    with OutsideServer(saying(said), certify(HOST), ending) as server:
        assert refusal(server, run) == INCOMPLETE


@both_loops
def test_an_answer_counts_although_the_request_was_not_read(certify: Certify, trust: None, run: Run) -> None:
    """As of a server that refuses a large body as soon as it has read the head."""
    said = answer(NOISE[:300_000], "413 Content Too Large")
    with OutsideServer(saying(said), certify(HOST), "reset") as server:
        reply = get(server, run, method="POST", body=NOISE[:100_000])
    assert (reply.status, reply.body) == (413, NOISE[:300_000])
