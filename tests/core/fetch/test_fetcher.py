"""Requests reach who they are meant for and nobody else, and every answer has its bounds.

The rule: rules/safety#outbound-requests.
"""

import asyncio
import gzip
import itertools
import socket
import threading
import tracemalloc
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any

import pytest
import trustme

from core.fetch.conftest import HOST, Certify
from harness.servers.outside import OutsideServer, Say, Send, answer, saying
from tallyroom.core.fetch import fetcher as fetcher_module
from tallyroom.core.fetch.exchange import INCOMPLETE, MAX_BODY_BYTES, NOT_HTTP, TOO_LARGE
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.rules import OutboundRules

LOOPBACK = OutboundRules((ip_network("127.0.0.0/8"),), allows_http=True)
TOKEN = "Bearer secret-token"


class Names:
    """The addresses of hosts, asked as often as `asked` says."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = itertools.chain(answers, itertools.repeat(answers[-1]))
        self.asked: list[str] = []

    def __call__(self, host: str, _: int) -> Sequence[str]:
        self.asked.append(host)
        return next(self._answers)


async def get(url: str, rules: OutboundRules = LOOPBACK, names: Any = None, **fields: Any) -> OutboundAnswer:
    fetcher = GuardedFetcher(rules, names or Names(["127.0.0.1"]))
    async with asyncio.timeout(6):
        return await fetcher.send(OutboundRequest(url=url, headers={"Authorization": TOKEN}, **fields))


async def failure(url: str, rules: OutboundRules = LOOPBACK, names: Any = None) -> str:
    with pytest.raises(FetchFailed) as failed:
        await get(url, rules, names)
    return str(failed.value)


async def told(say: Say) -> OutboundAnswer:
    """What comes of an answer, without TLS."""
    with OutsideServer(say) as server:
        return await get(f"http://{HOST}:{server.port}/")


async def refused(say: Say) -> str:
    with OutsideServer(say) as server:
        return await failure(f"http://{HOST}:{server.port}/")


async def test_an_answer_over_tls(certify: Certify, trust: None) -> None:
    said = answer(b'{"a": 1}', "201 Created", content_type="Application/JSON; charset=utf-8", retry_after="7")
    with OutsideServer(saying(said), certify(HOST)) as server:
        names = Names(["127.0.0.1"])
        found = await get(f"https://{HOST.upper()}:{server.port}/a?b=c", names=names)
    assert found == OutboundAnswer(status=201, content_type="application/json", retry_after_seconds=7, body=b'{"a": 1}')
    assert names.asked == [HOST]
    assert server.heads[0].split("\r\n") == [
        "GET /a?b=c HTTP/1.1",
        f"Host: {HOST}:{server.port}",
        "User-Agent: Tallyroom",
        "Accept: */*",
        f"Authorization: {TOKEN}",
        "Accept-Encoding: gzip",
        "Connection: close",
        "",
        "",
    ]


async def test_a_body_is_posted() -> None:
    def say(send: Send, head: str) -> None:
        send(answer(head.partition("\r\n\r\n")[2].encode()))

    with OutsideServer(say) as server:
        found = await get(f"http://{HOST}:{server.port}/", method="POST", body=b'{"hello": 1}')
    assert found.body == b'{"hello": 1}'
    assert "Content-Length: 12" in server.heads[0]


@pytest.mark.parametrize(
    ("names", "options", "why"),
    [
        (["other.example.com"], {}, "it is for another host"),
        (["127.0.0.1"], {}, "it is for another host"),
        ([HOST], {"not_after": datetime(2020, 1, 1, tzinfo=UTC)}, "it has expired"),
    ],
)
async def test_a_wrong_certificate_gets_no_token(
    authority: trustme.CA, certify: Certify, trust: None, names: list[str], options: Any, why: str
) -> None:
    """The name is checked, although the connection is made to an address."""
    context = certify(HOST)
    authority.issue_cert(*names, **options).configure_cert(context)
    with OutsideServer(saying(answer()), context) as server:
        assert await failure(f"https://{HOST}:{server.port}/") == f"The host's certificate is not trusted: {why}."
    assert (server.connections, server.heads) == (1, [])


async def test_an_unknown_authority_gets_no_token(certify: Certify) -> None:
    with OutsideServer(saying(answer()), certify(HOST)) as server:
        assert "its authority is not trusted" in await failure(f"https://{HOST}:{server.port}/")
    assert (server.connections, server.heads) == (1, [])


async def test_an_address_in_the_url_has_a_certificate_too(certify: Certify, trust: None) -> None:
    with OutsideServer(saying(answer()), certify("127.0.0.1")) as server:
        assert (await get(f"https://127.0.0.1:{server.port}/")).status == 200


async def test_a_server_without_tls_gets_no_token(trust: None) -> None:
    with OutsideServer(saying(answer())) as server:
        assert await failure(f"https://{HOST}:{server.port}/") == "The host does not accept an encrypted connection."
    assert len(server.heads) == 1
    assert "token" not in server.heads[0]


async def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    with OutsideServer(saying(answer())) as other:
        found = await told(saying(answer(b"", "302 Found", location=f"http://{HOST}:{other.port}/")))
    assert (found.status, found.body) == (302, b"")
    assert other.connections == 0


async def test_what_the_environment_says_of_proxies_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with OutsideServer(saying(answer(b"proxy"))) as proxy, OutsideServer(saying(answer(b"own"))) as server:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert (await get(f"http://{HOST}:{server.port}/")).body == b"own"
    assert proxy.connections == 0


async def test_no_cookie_comes_back() -> None:
    with OutsideServer(saying(answer(set_cookie="a=b"))) as server:
        fetcher = GuardedFetcher(LOOPBACK, Names(["127.0.0.1"]))
        for _ in range(2):
            assert (await fetcher.send(OutboundRequest(url=f"http://{HOST}:{server.port}/"))).status == 200
    assert len(server.heads) == server.connections == 2
    assert "cookie" not in "".join(server.heads).lower()


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
WHOLE = b"x" * MAX_BODY_BYTES


@pytest.mark.parametrize(
    ("pieces", "body"),
    [
        ([answer(WHOLE)], WHOLE),
        ([answer(gzip.compress(WHOLE), content_encoding="gzip")], WHOLE),
        ([answer(gzip.compress(b"{}"), content_encoding="GZIP")], b"{}"),
        ([answer(b"{}", content_encoding="identity")], b"{}"),
        ([answer(b"", "204 No Content", content_encoding="gzip")], b""),
        ([HEAD, b"\r\n{", b"}"], b"{}"),  # ends with the connection
        ([HEAD, b"transfer-encoding: chunked\r\n\r\n1\r\n{\r\n", b"1\r\n}\r\n0\r\nx-after: 1\r\n\r\n"], b"{}"),
        ([b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n", answer(b"{}")], b"{}"),
        ([answer(b"{}"), answer(b"[]")], b"{}"),
        ([answer(b"{}"), b"garbage"], b"{}"),
    ],
)
async def test_answers_that_are_read(pieces: list[bytes], body: bytes) -> None:
    assert (await told(saying(*pieces))).body == body


BOMB = gzip.compress(bytes(50 * MAX_BODY_BYTES))


@pytest.mark.parametrize(
    ("pieces", "why"),
    [
        ([answer(WHOLE + b"x")], TOO_LARGE),
        ([answer(gzip.compress(WHOLE + b"x"), content_encoding="gzip")], TOO_LARGE),
        ([answer(BOMB, content_encoding="gzip")], TOO_LARGE),
        ([answer(gzip.compress(BOMB), content_encoding="gzip, gzip")], "unsupported compression"),
        ([answer(b"{}", content_encoding="br")], "unsupported compression"),
        ([answer(b"{}", content_encoding="gzip")], "not valid gzip"),
        ([answer(gzip.compress(b"{}") + b"more", content_encoding="gzip")], "not valid gzip"),
        ([answer(gzip.compress(WHOLE)[:-20], content_encoding="gzip")], INCOMPLETE),
        ([HEAD + b"content-length: 5\r\n\r\n{}"], INCOMPLETE),
        ([HEAD + b"transfer-encoding: chunked\r\n\r\n1\r\n{\r\n"], INCOMPLETE),
        ([HEAD], INCOMPLETE),
        ([], INCOMPLETE),
        ([HEAD + b"content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}"], NOT_HTTP),
        ([HEAD + b"content-length: -1\r\n\r\n{}"], NOT_HTTP),
        ([HEAD + b"content-length: 2\r\ncontent-length: 3\r\n\r\n{}"], NOT_HTTP),
        ([b"220 mail.example.com ESMTP\r\n"], NOT_HTTP),
        ([b"SSH-2.0-OpenSSH\r\n"], NOT_HTTP),
        ([b"\x15\x03\x01\x00\x02\x02\x50"], NOT_HTTP),
        ([b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nx"], NOT_HTTP),
    ],
)
async def test_answers_that_are_not(pieces: list[bytes], why: str) -> None:
    assert why in await refused(saying(*pieces))


async def test_a_bomb_is_not_unpacked() -> None:
    """An answer of a few kilobytes must not take 50 MiB before it is found too large."""
    say = saying(answer(BOMB, content_encoding="gzip"))
    tracemalloc.start()
    try:
        assert await refused(say) == TOO_LARGE
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * MAX_BODY_BYTES


@pytest.mark.parametrize(
    ("start", "endless"),
    [
        (HEAD + b"\r\n", b"x" * 65_536),
        (HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 10_000),
        (HEAD + b"transfer-encoding: chunked\r\n\r\n1;", b"x" * 65_536),
        (HEAD, b"x-more: y\r\n" * 5_000),
        (HEAD + b"x-more: ", b"x" * 65_536),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    ],
)
async def test_an_endless_answer_ends(start: bytes, endless: bytes) -> None:
    def say(send: Send, _: str) -> None:
        send(start)
        while True:
            send(endless)

    assert await refused(say) in {TOO_LARGE, NOT_HTTP}


async def test_trailers_have_bounds_as_heads_do() -> None:
    """The parser would put a trailer of 4 MiB together anew for each byte that arrives."""
    start = HEAD + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx-more: "
    assert await refused(saying(start, b"x" * 100_000, b"\r\n\r\n")) == TOO_LARGE


@pytest.mark.parametrize("start", [b"", HEAD, HEAD + b"\r\n"])
async def test_an_answer_byte_by_byte_takes_too_long(monkeypatch: pytest.MonkeyPatch, start: bytes) -> None:
    monkeypatch.setattr(fetcher_module, "TIMEOUT_SECONDS", 0.3)
    over = threading.Event()

    def say(send: Send, _: str) -> None:
        send(start)
        while not over.wait(0.05):
            send(b" ")

    why = await refused(say)
    over.set()
    assert why in {"The host did not respond within 0.3 seconds.", NOT_HTTP}


async def test_a_silent_server_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetcher_module, "TIMEOUT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        for scheme in ("http", "https"):
            assert "did not respond within" in await failure(f"{scheme}://{HOST}:{port}/")


async def test_names_that_nobody_knows_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetcher_module, "TIMEOUT_SECONDS", 0.1)
    over = threading.Event()

    def never(_host: str, _port: int) -> Sequence[str]:
        over.wait(10)
        return ["127.0.0.1"]

    assert "did not respond within" in await failure(f"https://{HOST}/", names=never)
    over.set()


@pytest.mark.parametrize("error", [socket.gaierror(-2, "remote words"), UnicodeError()])
async def test_names_without_an_address(error: Exception) -> None:
    def unknown(_host: str, _port: int) -> Sequence[str]:
        raise error

    assert await failure(f"https://{HOST}/", names=unknown) == "The host name has no address."
    assert await failure(f"https://{HOST}/", names=Names([])) == "The host name has no address."


async def test_the_next_address_is_tried() -> None:
    with OutsideServer(saying(answer())) as server:
        names = Names(["127.0.0.2", "127.0.0.1"])
        assert (await get(f"http://{HOST}:{server.port}/", names=names)).status == 200
        assert await failure(f"http://{HOST}:{server.port}/", names=Names(["127.0.0.2"])) == (
            "The host cannot be reached."
        )
    assert (server.connections, names.asked) == (1, [HOST])


async def test_a_name_that_changes_its_meaning_is_asked_once() -> None:
    """The first answer is what is checked and what is connected to; there is no second one to fall for."""
    elsewhere = OutboundRules((ip_network("127.0.0.2/32"),), allows_http=True)
    with OutsideServer(saying(answer())) as server:
        names = Names(["127.0.0.2"], ["127.0.0.1"])
        assert await failure(f"http://{HOST}:{server.port}/", elsewhere, names) == "The host cannot be reached."
        assert names.asked == [HOST]
        assert "not public" in await failure(f"http://{HOST}:{server.port}/", elsewhere, names)  # its second meaning
    assert server.connections == 0


HOSTILE = [
    "https://127.0.0.1:{port}/",
    "https://127.0.0.1/",
    "https://127.1:{port}/",
    "https://127.0.1:{port}/",
    "https://127.127.127.127:{port}/",
    "https://2130706433:{port}/",
    "https://017700000001:{port}/",
    "https://0x7f000001:{port}/",
    "https://0x7f.0x0.0x0.0x1:{port}/",
    "https://0177.0.0.1:{port}/",
    "https://0177.0.0.0x1:{port}/",
    "https://127.0.0.1.:{port}/",
    "https://0:{port}/",
    "https://0.0.0.0:{port}/",
    "https://[::]:{port}/",
    "https://[::1]:{port}/",
    "https://[0:0:0:0:0:0:0:1]:{port}/",
    "https://[::127.0.0.1]:{port}/",
    "https://[::7f00:1]:{port}/",
    "https://[::ffff:127.0.0.1]:{port}/",
    "https://[::ffff:7f00:1]:{port}/",
    "https://[64:ff9b::127.0.0.1]:{port}/",
    "https://[64:ff9b:1::7f00:1]:{port}/",
    "https://[2002:7f00:1::]:{port}/",
    "https://[2001:0:7f00:1::]:{port}/",
    "https://[fe80::1%25lo]:{port}/",
    "https://[::1%lo]:{port}/",
    "https://localhost:{port}/",
    "https://LOCALHOST:{port}/",
    "https://localhost.:{port}/",
    "https://localhost../",
    "https://api.localhost:{port}/",
    "https://ip6-localhost:{port}/",
    "https://localhost.localdomain:{port}/",
    "https://loopback.example.com:{port}/",
    "https://loopback.example.com/",
    "https://loopback.example.com.:{port}/",
    "https://xn--lcalhost-54a.example:{port}/",
    "https://xn--a/",
    "https://example.com@127.0.0.1:{port}/",
    "https://127.0.0.1:{port}@example.com/",
    "https://user:password@127.0.0.1:{port}/",
    "https://example.com\\@127.0.0.1:{port}/",
    "https://127.0.0.1:{port}\\@example.com/",
    "https:\\\\127.0.0.1:{port}\\",
    "https://example.com#@127.0.0.1:{port}/",
    "https://127.0.0.1:{port}#@example.com/",
    "https://127。0。0。1:{port}/",
    "https://127．0．0．1:{port}/",
    "https://１２７.0.0.1:{port}/",
    "https://①②⑦.⓪.⓪.①:{port}/",
    "https://ⓛocalhost:{port}/",
    "https://loc\u00adalhost:{port}/",
    "https://loc\u200dalhost:{port}/",
    "https://127.0.0.1%00.example.com:{port}/",
    "https://127.0.0.1\t:{port}/",
    "https://127.0.0.1\r\nHost: example.com:{port}/",
    "https:127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "HTTP://127.0.0.1:{port}/",
    "http://loopback.example.com:{port}/",
    "ftp://127.0.0.1:{port}/",
    "gopher://127.0.0.1:{port}/_GET",
    "file://127.0.0.1/etc/hosts",
    "https://10.0.0.1:{port}/",
    "https://192.168.0.1/",
    "https://172.16.0.1/",
    "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://metadata.example.com/computeMetadata/v1/",
    "https://168.63.129.16/",
    "https://100.100.100.200/",
    "https://192.0.0.192/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::a9fe:a9fe]/",
    "https://224.0.0.1:{port}/",
    "https://255.255.255.255:{port}/",
]

MEANINGS = {"metadata.example.com": ["1.1.1.1", "169.254.169.254"]}
"""What names lead to; all others lead to the listener, one way or another."""


def hostile_names(host: str, _port: int) -> Sequence[str]:
    return MEANINGS.get(host, ["1.1.1.1", "127.0.0.1"])


RULES = {
    "nothing is allowed": OutboundRules(),
    "something else is allowed": OutboundRules((ip_network("192.0.2.1/32"),), allows_http=True),
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
async def test_nothing_hostile_reaches_the_server_itself(rules: OutboundRules) -> None:
    with ExitStack() as running:
        server = running.enter_context(OutsideServer(saying(answer())))
        reasons = {url: await failure(url.format(port=server.port), rules, hostile_names) for url in HOSTILE}
        assert server.connections == 0
        assert {url: why for url, why in reasons.items() if not why.startswith("The URL ")} == {}
        assert (await get(f"http://127.0.0.1:{server.port}/")).status == 200  # where it may, it does
        assert server.connections == 1


@pytest.mark.parametrize("url", HOSTILE, ids=ascii)
async def test_what_shows_in_a_url_is_found_without_the_network(url: str) -> None:
    names = Names(["127.0.0.1"])
    fetcher = GuardedFetcher(OutboundRules(), names)
    text = url.format(port=1234)
    if url in {"https://loopback.example.com/", "https://metadata.example.com/computeMetadata/v1/"}:
        await fetcher.check(text)  # only its addresses give it away
    else:
        with pytest.raises(FetchFailed):
            await fetcher.check(text)
    assert names.asked == []


async def test_no_failure_repeats_what_the_other_side_said(certify: Certify) -> None:
    words = "remote-words"
    says = [
        saying(f"HTTP/1.1 999999 {words}\r\n\r\n".encode()),
        saying(f"{words}\r\n\r\n".encode()),
        saying(answer(words.encode(), content_encoding=words)),
        saying(answer(words.encode(), content_encoding="gzip")),
        saying(answer(words.encode(), content_length="99")),
    ]
    for say in says:
        assert words not in await refused(say)
    with OutsideServer(saying(answer()), certify(f"{words}.example.com")) as server:
        assert words not in await failure(f"https://{HOST}:{server.port}/")
