"""Where a request comes from, which its sender cannot choose."""

from typing import Any

import pytest
from litestar.testing import RequestFactory

from tallyroom.auth.caller import client_network_of, widen_network
from tallyroom.core.settings import Settings


def request(peer: tuple[str, int] | None, *forwarded: str) -> Any:
    made = RequestFactory().get("/")
    made.scope["client"] = peer
    made.scope["headers"] = [(b"x-forwarded-for", each.encode()) for each in forwarded]
    return made


@pytest.mark.parametrize(
    ("peer", "forwarded", "network"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["192.0.2.7", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("2001:db8:1:2:3:4:5:6", [], "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", [], "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", [], "203.0.113.9"),
        ("10.0.0.1", ["[2001:db8::1]:443"], "2001:db8::/64"),
        ("unix", [], "unix"),
        ("", [], ""),
    ],
)
def test_the_network_is_the_clients(peer: str, forwarded: list[str], network: str) -> None:
    assert client_network_of(request((peer, 1), *forwarded), Settings(trusted_proxies="10.0.0.0/8")) == network


def test_a_connection_without_a_peer_has_a_network_too() -> None:
    assert client_network_of(request(None), Settings()) == ""


@pytest.mark.parametrize(
    ("client_network", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("", ""),
        ("/run/socket", "/run/socket"),
    ],
)
def test_the_network_that_takes_turns_is_larger(client_network: str, network: str) -> None:
    assert widen_network(client_network) == network
