"""The head of a request, as it goes out."""

import pytest

from tallyroom.core.fetch.exchange import build_head
from tallyroom.core.fetch.messages import FetchFailed, OutboundRequest
from tallyroom.core.fetch.url import read_url


def head(request: OutboundRequest) -> list[str]:
    return build_head(request, read_url(request.url)).decode().split("\r\n")


def test_a_get() -> None:
    assert head(OutboundRequest(url="https://Example.com/a?b=c", headers={"accept": "text/plain", "X-Key": "k"})) == [
        "GET /a?b=c HTTP/1.1",
        "Host: example.com",
        "User-Agent: Tallyroom",
        "accept: text/plain",
        "X-Key: k",
        "Accept-Encoding: gzip",
        "Connection: close",
        "",
        "",
    ]


def test_a_post_says_how_long_it_is() -> None:
    lines = head(OutboundRequest(url="https://[2606:4700::1111]:8443", method="POST", body=b"{}"))
    assert lines[:2] == ["POST / HTTP/1.1", "Host: [2606:4700::1111]:8443"]
    assert "Content-Length: 2" in lines


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("X-Key", value) for value in ("a\r\nX-Other: b", "a\n", "\0", "ü", "\x7f")],
        *[(name, "x") for name in ("", "X Key", "X-Key:", "X\r\n", "ü")],
        *[(name, "x") for name in ("Host", "HOST", "content-length", "Connection", "Transfer-Encoding")],
        ("accept-encoding", "br"),
    ],
)
def test_a_header_that_cannot_be_sent(name: str, value: str) -> None:
    with pytest.raises(FetchFailed):
        head(OutboundRequest(url="https://example.com", headers={name: value}))
