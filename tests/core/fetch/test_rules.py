"""What the operator may allow, and nothing beyond it (rules/safety#outbound-requests)."""

from ipaddress import ip_address, ip_network

import pytest

from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.fetch.url import UrlRefused, read_url

NETWORKS = (ip_network("127.0.0.0/8"), ip_network("10.1.0.0/16"), ip_network("fd12::/16"))
NONE = OutboundRules()
ALLOWED = OutboundRules(NETWORKS)
PLAIN = OutboundRules(NETWORKS, allows_http=True)


def admits(rules: OutboundRules, text: str, *addresses: str) -> bool:
    url = read_url(text)
    try:
        rules.check(url)
        rules.check_addresses(url, map(ip_address, addresses))
    except UrlRefused:
        return False
    return True


CASES = [
    ("https://example.com/", ["1.1.1.1"], True, True, True),
    ("https://example.com/", ["1.1.1.1", "2606:4700::1111"], True, True, True),
    ("https://example.com/", ["1.1.1.1", "10.2.0.1"], False, False, False),
    ("https://example.com/", ["10.2.0.1", "1.1.1.1"], False, False, False),
    ("https://example.com/", ["10.1.2.3"], False, True, True),
    ("https://example.com/", ["::ffff:10.1.2.3"], False, True, True),
    ("https://example.com/", ["::10.1.2.3"], False, False, False),
    ("https://example.com/", ["64:ff9b::10.1.2.3"], False, False, False),
    ("https://example.com/", ["2002:a01:203::"], False, False, False),
    ("https://example.com/", ["fd12::1"], False, True, True),
    ("https://example.com/", ["fd13::1"], False, False, False),
    ("https://example.com:8443/", ["1.1.1.1"], False, False, False),
    ("https://example.com:8443/", ["10.1.2.3"], False, True, True),
    ("https://example.com:8443/", ["10.1.2.3", "1.1.1.1"], False, False, False),
    ("http://example.com/", ["1.1.1.1"], False, False, False),
    ("http://example.com/", ["10.1.2.3"], False, False, True),
    ("http://example.com:8080/", ["10.1.2.3"], False, False, True),
    ("https://localhost/", ["127.0.0.1"], False, True, True),
    ("https://api.localhost:1/", ["127.0.0.1"], False, True, True),
    ("https://1.1.1.1/", [], True, True, True),
    ("https://1.1.1.1:8443/", [], False, False, False),
    ("https://127.0.0.1/", [], False, True, True),
    ("https://10.2.0.1/", [], False, False, False),
    ("https://[::ffff:127.0.0.1]/", [], False, True, True),
    ("https://[::1]/", [], False, False, False),
]


@pytest.mark.parametrize(("text", "addresses", "without", "allowed", "plain"), CASES)
def test_who_is_reached(text: str, addresses: list[str], *, without: bool, allowed: bool, plain: bool) -> None:
    assert [admits(rules, text, *addresses) for rules in (NONE, ALLOWED, PLAIN)] == [without, allowed, plain]


def test_http_without_networks_changes_nothing() -> None:
    assert not admits(OutboundRules(allows_http=True), "http://example.com/", "1.1.1.1")
