"""URLs have one meaning, or are refused (rules/safety#outbound-requests)."""

from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.suite.examples import tries
from tallyroom.core.fetch.url import MAX_URL_LENGTH, UrlRefused, read_host, read_url

READ = [
    ("https://example.com", "https", "example.com", 443, "/", "example.com"),
    ("HTTPS://EXAMPLE.com/", "https", "example.com", 443, "/", "example.com"),
    ("https://example.com:443/a", "https", "example.com", 443, "/a", "example.com"),
    ("https://example.com:8443/a", "https", "example.com", 8443, "/a", "example.com:8443"),
    ("http://example.com/a", "http", "example.com", 80, "/a", "example.com"),
    ("https://example.com?a=b/c?d", "https", "example.com", 443, "/?a=b/c?d", "example.com"),
    ("https://example.com/a/../b//c", "https", "example.com", 443, "/a/../b//c", "example.com"),
    ("https://example.com/a%20b%2F?q=%41", "https", "example.com", 443, "/a%20b%2F?q=%41", "example.com"),
    ('https://example.com/ü|"{}', "https", "example.com", 443, "/%C3%BC%7C%22%7B%7D", "example.com"),
    ("https://bücher.example/", "https", "xn--bcher-kva.example", 443, "/", "xn--bcher-kva.example"),
    ("https://BÜCHER.example/", "https", "xn--bcher-kva.example", 443, "/", "xn--bcher-kva.example"),
    ("https://xn--bcher-kva.example/", "https", "xn--bcher-kva.example", 443, "/", "xn--bcher-kva.example"),
    ("https://straße.example/", "https", "xn--strae-oqa.example", 443, "/", "xn--strae-oqa.example"),
    ("https://r3---sn-4g5.example.com/", "https", "r3---sn-4g5.example.com", 443, "/", "r3---sn-4g5.example.com"),
    ("https://my_host.example/", "https", "my_host.example", 443, "/", "my_host.example"),
    ("https://1.1.1.1/", "https", "1.1.1.1", 443, "/", "1.1.1.1"),
    ("https://1.example/", "https", "1.example", 443, "/", "1.example"),
    ("https://[2606:4700:0:0::1111]:8443/", "https", "2606:4700::1111", 8443, "/", "[2606:4700::1111]:8443"),
]


@pytest.mark.parametrize(("text", "scheme", "host", "port", "target", "authority"), READ)
def test_what_is_read(text: str, scheme: str, host: str, port: int, target: str, authority: str) -> None:
    url = read_url(text)
    assert (url.scheme, url.host, url.port, url.target, url.authority) == (scheme, host, port, target, authority)


REFUSED = [
    "",
    "x",
    "example.com",
    "//example.com/",
    "/path",
    "https:example.com",
    "https:/example.com/",
    "https://",
    "https:///path",
    "https://?query",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "https+http://example.com/",
    " https://example.com/",
    "https://example.com/ ",
    "https://exa mple.com/",
    "https://example.com/a b",
    "https://example.com/\r\nHost: other",
    "https://example.com/\t",
    "https://example.com/\x00",
    "https://example.com/\x7f",
    "https://example.com/\u2028",
    "https://exam\u00adple.com/",
    "https://exam\u200bple.com/",
    "https://example.com\\@127.0.0.1/",
    "https:\\\\example.com\\",
    "https://127.0.0.1\\.example.com/",
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com#@127.0.0.1/",
    "https://example.com/#fragment",
    "https://example.com./",
    "https://localhost./",
    "https://.example.com/",
    "https://example..com/",
    "https://-example.com/",
    "https://example-.com/",
    "https://exa%6Dple.com/",
    "https://127.0.0.1%2F.example.com/",
    "https://example.com:/",
    "https://example.com:0/",
    "https://example.com:65536/",
    "https://example.com:443443/",
    "https://example.com:-1/",
    "https://example.com:８/",
    "https://example.com:443:443/",
    "https://2130706433/",
    "https://017700000001/",
    "https://0x7f000001/",
    "https://0X7F000001/",
    "https://127.1/",
    "https://127.0.1/",
    "https://0177.0.0.1/",
    "https://0x7f.0.0.1/",
    "https://127.0.0.0x1/",
    "https://127.0.0.1./",
    "https://127.0.0.01/",
    "https://127.0.0.1.1/",
    "https://256.0.0.1/",
    "https://example.0/",
    "https://0x/",
    "https://0/",
    "https://①②⑦.⓪.⓪.①/",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
    "https://example。com/",
    "https://example．com/",
    "https://example｡com/",
    "https://ｅxample.com/",
    "https://example.\u212aom/",
    "https://ﬁle.example/",
    "https://℀.example/",
    "https://xn--/",
    "https://xn--a/",
    "https://xn--bcher-KVA-.example/",
    "https://[::1/",
    "https://::1/",
    "https://[::1]x/",
    "https://[::1%25lo]/",
    "https://[fe80::1%lo]/",
    "https://[127.0.0.1]/",
    "https://[]/",
    "https://[v1.x]/",
    f"https://{'a' * 64}.example/",
    f"https://{'a.' * 130}example/",
    f"https://example.com/{'a' * MAX_URL_LENGTH}",
]


@pytest.mark.parametrize("text", REFUSED, ids=ascii)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(UrlRefused) as refused:
        read_url(text)
    assert str(refused.value) == f"The URL {refused.value.reason}."


def test_a_url_may_be_so_long() -> None:
    text = "https://example.com/"
    assert read_url(text + "a" * (MAX_URL_LENGTH - len(text))).host == "example.com"


@pytest.mark.parametrize(
    ("text", "authority"),
    [
        ("API.Example.com", "api.example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("example.com:443", "example.com"),
        ("example.com:8443", "example.com:8443"),
        ("1.1.1.1", "1.1.1.1"),
        ("[2606:4700::1111]", "[2606:4700::1111]"),
    ],
)
def test_a_host_alone(text: str, authority: str) -> None:
    assert read_host(text).authority == authority


@pytest.mark.parametrize(
    "text",
    ["", "https://example.com", "example.com/", "example.com?a", "example.com#", "a@example.com", "exam ple", ":1"],
)
def test_more_than_a_host(text: str) -> None:
    with pytest.raises(UrlRefused):
        read_host(text)


PIECES = st.sampled_from(
    [
        "https://",
        "http://",
        "//",
        "/",
        "\\",
        "@",
        ":",
        "443",
        "8443",
        "#",
        "?",
        "%",
        "%40",
        "%2e",
        ".",
        "..",
        "-",
        "_",
        "[",
        "]",
        "::1",
        "::ffff:",
        "127.0.0.1",
        "127.1",
        "0x7f",
        "017",
        "2130706433",
        "localhost",
        "example",
        "com",
        "xn--",
        "xn--bcher-kva",
        "ü",
        "ß",
        "ｅ",
        "。",
        "．",
        "①",
        "\xad",
        "\u200b",
        "\t",
        "\n",
        " ",
        "\x00",
        "A",
        "a",
        "0",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
@tries(4000)
def test_whoever_else_reads_it_finds_the_same_host(text: str) -> None:
    """Where this reads a host, so do two other programs; what they may read as another host is refused."""
    try:
        url = read_url(f"https://{text}")
    except UrlRefused:
        return
    other, third = urlsplit(f"https://{text}"), httpx.URL(f"https://{text}")
    assert (other.port or 443, third.port or 443) == (url.port, url.port)
    if other.hostname is not None and other.hostname.isascii() and ":" not in url.host:
        assert other.hostname == url.host
    if ":" not in url.host and "\u00df" not in text:
        assert third.raw_host.decode() == url.host
