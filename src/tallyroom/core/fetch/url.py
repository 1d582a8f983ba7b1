"""Reads URLs that users enter, more strictly than browsers do: each has one meaning, or is refused.

Numbers such as 2130706433 or 0x7f.1, full-width letters, a dot at the end, or a user name could mean another host.
"""

import re
import unicodedata
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final, Literal
from urllib.parse import quote

import idna
import msgspec

from tallyroom.core.fetch.addresses import Address
from tallyroom.core.fetch.messages import FetchFailed
from tallyroom.core.host_names import bracket_ipv6

MAX_URL_LENGTH: Final = 2000

_MAX_HOST_LENGTH: Final = 253
Scheme = Literal["https", "http"]

_DEFAULT_PORTS: Final[dict[Scheme, int]] = {"https": 443, "http": 80}
_MAX_PORT: Final = 65_535
_URL_PATTERN: Final = re.compile(r"(?P<scheme>[A-Za-z]+)://(?P<authority>[^/?]*)(?P<target>.*)", re.DOTALL)
_AUTHORITY_PATTERN: Final = re.compile(r"(?P<host>\[[^\[\]]*\]|[^\[\]:]*)(?::(?P<port>[0-9]{1,5}))?", re.DOTALL)
_LABEL_PATTERN: Final = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST_PATTERN: Final = re.compile(rf"{_LABEL_PATTERN}(?:\.{_LABEL_PATTERN})*")
_NUMBER_PATTERN: Final = re.compile(r"0x[0-9a-f]*|[0-9]+")
"""The last label of a name that a resolver would read as an IPv4 address (WHATWG URL, "ends in a number")."""
_UNQUOTED_CHARACTERS: Final = "%!$&'()*+,;=:@/?-._~[]"


class UrlRefused(FetchFailed):
    """A URL that is never fetched; `reason` is the end of a sentence that begins with the URL."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The URL {reason}.")
        self.reason = reason


class OutboundUrl(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed URL: `host` is lower-case ASCII or an IP address without brackets, `target` is path and query."""

    scheme: Scheme
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host and port as in the header `Host`: without the scheme's default port."""
        host = bracket_ipv6(self.host)
        return host if self.has_default_port else f"{host}:{self.port}"

    @property
    def has_default_port(self) -> bool:
        """Whether the port is the scheme's default."""
        return self.port == _DEFAULT_PORTS[self.scheme]

    @property
    def ip_address(self) -> Address | None:
        """The host as an IP address; None if it is a name."""
        if ":" in self.host:
            return IPv6Address(self.host)
        return IPv4Address(self.host) if _ends_in_a_number(self.host) else None


def read_url(text: str) -> OutboundUrl:
    """Read a URL of any host; raises `UrlRefused` if it is not a URL or could be read in two ways."""
    if len(text) > MAX_URL_LENGTH:
        raise UrlRefused(f"must have at most {MAX_URL_LENGTH} characters")
    if not text.isprintable() or any(character.isspace() or character == "\\" for character in text):
        raise UrlRefused("must not contain spaces, control characters or backslashes")
    if "#" in text:
        raise UrlRefused("must not have a fragment (#…)")
    url_match = _URL_PATTERN.fullmatch(text)
    scheme = url_match and next((name for name in _DEFAULT_PORTS if name == url_match["scheme"].lower()), None)
    if url_match is None or scheme is None:
        raise UrlRefused("must begin with https://")
    host, port = _read_authority(url_match["authority"])
    target = quote(url_match["target"], safe=_UNQUOTED_CHARACTERS)
    return OutboundUrl(
        scheme=scheme,
        host=host,
        port=_DEFAULT_PORTS[scheme] if port is None else port,
        target=target if target.startswith("/") else f"/{target}",
    )


def read_host(text: str) -> OutboundUrl:
    """Read a host, perhaps with a port, as the URL of its root; raises `UrlRefused` for anything else."""
    if any(character in text for character in "/?#"):
        raise UrlRefused("must be only a host, such as api.example.com")
    return read_url(f"https://{text}")


def _read_authority(text: str) -> tuple[str, int | None]:
    if "@" in text:
        raise UrlRefused("must not contain a user name or a password")
    match = _AUTHORITY_PATTERN.fullmatch(text)
    if match is None or not match["host"]:
        raise UrlRefused("must have a host, such as https://api.example.com")
    port = None if match["port"] is None else int(match["port"])
    if port is not None and not 0 < port <= _MAX_PORT:
        raise UrlRefused("must have a port from 1 to 65535, if any")
    host = match["host"]
    return _read_ipv6(host[1:-1]) if host.startswith("[") else _read_name(host), port


def _read_ipv6(text: str) -> str:
    try:
        address = IPv6Address(text)
    except AddressValueError as error:
        raise UrlRefused("must have an IPv6 address between the brackets") from error
    if address.scope_id is not None:
        raise UrlRefused("must not have a zone in its IPv6 address")
    return str(address)


def _read_name(text: str) -> str:
    if unicodedata.normalize("NFKC", text) != text:
        raise UrlRefused("must have a host of standard letters and dots")
    name = text.lower()
    if not name.isascii() or any(label.startswith("xn--") for label in name.split(".")):
        try:
            name = idna.encode(name, strict=True).decode("ascii")
        except UnicodeError as error:
            raise UrlRefused("must have a valid host name") from error
    if _ends_in_a_number(name):
        return _read_ipv4(name)
    if len(name) > _MAX_HOST_LENGTH or not _HOST_PATTERN.fullmatch(name):
        raise UrlRefused("must have a valid host name, without a trailing dot")
    return name


def _read_ipv4(text: str) -> str:
    try:
        return str(IPv4Address(text))
    except AddressValueError as error:
        raise UrlRefused("must have an IPv4 address as four decimal numbers") from error


def _ends_in_a_number(name: str) -> bool:
    return _NUMBER_PATTERN.fullmatch(name.rstrip(".").rpartition(".")[2]) is not None
