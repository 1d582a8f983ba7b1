"""Who may read `/metrics` (rules/safety#metrics)."""

import logging

import pytest

from tallyroom.auth.metrics_guard import MetricsGuard, is_loopback
from tallyroom.core.errors import Forbidden, Unauthorized
from tallyroom.core.settings import Settings

TOKEN = "0123456789abcdef"
Headers = list[tuple[bytes, bytes]]


def bearer(text: str) -> tuple[bytes, bytes]:
    return b"authorization", text.encode()


LOCAL = ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"]


@pytest.mark.parametrize("base_url", ["", "http://127.0.0.1:8480", "https://localhost", "http://[::1]:8480"])
@pytest.mark.parametrize("peer", LOCAL)
def test_a_client_of_the_same_machine_needs_nothing(base_url: str, peer: str) -> None:
    guard = MetricsGuard(Settings(base_url=base_url, metrics_token=TOKEN))
    assert guard.find_refusal(peer, [(b"host", b"tally.example.com")]) is None


@pytest.mark.parametrize("header", [b"x-forwarded-for", b"forwarded", b"x-real-ip"])
@pytest.mark.parametrize("trusted", ["", "127.0.0.0/8,::1"])
@pytest.mark.parametrize("value", [b"127.0.0.1", b"", b"for=127.0.0.1"])
def test_a_proxy_on_the_same_machine_is_not_a_client_of_it(header: bytes, trusted: str, value: bytes) -> None:
    guard = MetricsGuard(Settings(trusted_proxies=trusted))
    assert isinstance(guard.find_refusal("127.0.0.1", [(header, value)]), Forbidden)


@pytest.mark.parametrize("peer", LOCAL)
def test_a_server_with_a_public_address_trusts_no_peer(peer: str) -> None:
    """A proxy that adds no header looks like a client of the same machine."""
    guard = MetricsGuard(Settings(base_url="https://tally.example.com"))
    assert isinstance(guard.find_refusal(peer, []), Forbidden)


@pytest.mark.parametrize("peer", ["192.0.2.7", "10.0.0.1", "2001:db8::1", "::ffff:192.0.2.7", "0.0.0.0", "", "client"])
def test_any_other_peer_needs_the_token(peer: str) -> None:
    """A UNIX socket has no address, and who is behind it is not known."""
    guard = MetricsGuard(Settings(metrics_token=TOKEN))
    refused = guard.find_refusal(peer, [])
    assert isinstance(refused, Unauthorized)
    assert refused.headers["www-authenticate"].startswith("Bearer")
    assert guard.find_refusal(peer, [bearer(f"Bearer {TOKEN}")]) is None


@pytest.mark.parametrize(
    "headers",
    [
        [bearer("Bearer ")],
        [bearer("Bearer")],
        [bearer(TOKEN)],
        [bearer(f"Basic {TOKEN}")],
        [bearer(f"Bearer {TOKEN}0")],
        [bearer(f"Bearer {TOKEN[:-1]}")],
        [bearer(f"Bearer {TOKEN.upper()}")],
        [bearer("Bearer \u00e9")],
        [bearer(f"Bearer {TOKEN}"), bearer("Bearer other")],
    ],
)
def test_nothing_but_the_token_opens_it(headers: Headers) -> None:
    assert isinstance(MetricsGuard(Settings(metrics_token=TOKEN)).find_refusal("192.0.2.7", headers), Unauthorized)


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER  "])
def test_the_token_opens_it_through_any_proxy(scheme: str) -> None:
    guard = MetricsGuard(Settings(metrics_token=TOKEN, base_url="https://tally.example.com"))
    assert guard.find_refusal("192.0.2.7", [(b"x-forwarded-for", b"192.0.2.9"), bearer(scheme + TOKEN)]) is None


def test_without_a_token_no_credential_counts() -> None:
    assert isinstance(MetricsGuard(Settings()).find_refusal("192.0.2.7", [bearer("Bearer ")]), Forbidden)


def test_open_means_everybody() -> None:
    guard = MetricsGuard(Settings(metrics_open=True, base_url="https://tally.example.com"))
    assert guard.find_refusal("192.0.2.7", [(b"x-forwarded-for", b"192.0.2.9")]) is None


def test_the_first_refusal_is_logged_with_what_to_set(caplog: pytest.LogCaptureFixture) -> None:
    guard = MetricsGuard(Settings(metrics_token=TOKEN))
    with caplog.at_level(logging.WARNING):
        guard.find_refusal("127.0.0.1", [])
        assert caplog.text == ""
        guard.find_refusal("192.0.2.7", [bearer("Bearer wrong-wrong-wrong")])
        guard.find_refusal("192.0.2.8", [])
    [record] = caplog.records
    assert "TALLYROOM_METRICS_TOKEN" in record.getMessage()
    assert "TALLYROOM_METRICS_OPEN" in record.getMessage()
    assert TOKEN not in caplog.text
    assert "wrong-wrong" not in caplog.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "tally.localhost", "127.0.0.1", "::1"])
def test_names_of_the_machine_itself(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "localhost.example.com", "notlocalhost", "127.0.0.1.example.com", "0.0.0.0"])
def test_names_of_other_machines(host: str) -> None:
    assert not is_loopback(host)
