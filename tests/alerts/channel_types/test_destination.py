"""Which destinations there are, and what is seen of them (rules/alerts#destination)."""

from typing import Any

import pytest
from cryptography.fernet import Fernet

from tallyroom.alerts.channel_types.destination import Destination, Destinations
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.vault import SecretUnreadable, Vault

TELEGRAM = "https://api.telegram.org"

RIGHT: list[tuple[Any, str, str]] = [
    ("email", "ann@example.com", "a•••@example.com"),
    ("email", "möwe@münchen.example", "m•••@münchen.example"),
    ("webhook", "https://example.com/hooks/0123456789", "https://example.com/••••6789"),
    ("webhook", "https://example.com", "https://example.com/••••"),
    ("webhook", "https://example.com/short", "https://example.com/••••"),
    ("webhook", "https://example.com/?token=0123456789", "https://example.com/••••6789"),
    ("webhook", "https://example.com?token=0123456789", "https://example.com/••••6789"),
    ("webhook", "https://münchen.example/hooks/0123456789", "https://münchen.example/••••6789"),
    ("webhook", "https://example.com:443/hooks/0123456789", "https://example.com:443/••••6789"),
    ("slack", "https://hooks.slack.com/services/T0/B0/abcdefgh", "https://hooks.slack.com/••••efgh"),
    ("slack", "https://chat.example.com/hooks/abcdefgh", "https://chat.example.com/••••efgh"),
    ("discord", "https://discord.com/api/webhooks/1/abcdefgh", "https://discord.com/••••efgh"),
    ("telegram", "123456:AbC-d_f/-1001234567890", "https://api.telegram.org/••••7890"),
    ("telegram", "123456:AbC-d_f/42", "https://api.telegram.org/••••"),
    ("telegram", "123456:AbC-d_f/@releases", "https://api.telegram.org/••••ases"),
]

WRONG: list[tuple[Any, str]] = [
    *[("email", text) for text in ("", "ann", "@example.com", "ann@", "Ann <ann@example.com>", "a@b.c, d@e.f")],
    *[("email", f"ann@example.com{end}") for end in ("\n", "\r\nBcc: evil@example.com", "\u2028", "?subject=x")],
    *[
        (kind, text)
        for kind in ("webhook", "slack", "discord")
        for text in ("", "x", "example.com/x", "ftp://example.com")
    ],
    *[
        ("webhook", f"https://{rest}")
        for rest in ("", "/x", "a b", "example.com/\n", "example.com:x/", "ex\u202eample.com/")
    ],
    ("webhook", "http://example.com/hook"),
    ("webhook", "https://127.0.0.1/hook"),
    ("webhook", "https://localhost/hook"),
    ("webhook", "https://user:password@example.com/hook"),
    ("webhook", "https://[::1]/hook"),
    *[
        ("telegram", text)
        for text in (
            "",
            "1:a",
            "1:a/",
            "a/1",
            "1/2",
            "1:a/b",
            "1:a/1/2",
            "1:a/1\n",
            "1:ä/1",
            "1:a/@",
            "1:a/--1",
            "1:a?/1",
        )
    ],
    ("telegram", "https://api.telegram.org/bot1:a/sendMessage"),
]


def open_destinations(vault: Vault | None = None) -> Destinations:
    vault = vault or Vault([Fernet.generate_key().decode()])
    return Destinations(vault, GuardedFetcher(OutboundRules()), TELEGRAM)


@pytest.mark.parametrize(("kind", "text", "seen"), RIGHT)
async def test_a_destination_is_taken_and_hardly_seen(kind: Any, text: str, seen: str) -> None:
    destinations = open_destinations()
    await destinations.check(kind, text)
    assert destinations.preview(kind, text) == seen


@pytest.mark.parametrize(("kind", "text"), WRONG)
async def test_what_is_no_destination_is_refused(kind: Any, text: str) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        await open_destinations().check(kind, text)
    assert [detail.path for detail in refusal.value.details] == [["destination"]]
    assert "user:" not in str(refusal.value)


async def test_a_refusal_says_what_is_missing() -> None:
    with pytest.raises(ValidationFailed, match=r"^destination must begin with https://$"):
        await open_destinations().check("webhook", "http://example.com/hook")


async def test_it_is_kept_encrypted() -> None:
    destinations = open_destinations()
    text = "https://example.com/hooks/0123456789"
    stored = destinations.encrypt(text)
    assert "example" not in stored
    assert destinations.decrypt("webhook", stored, None) == Destination("webhook", text, None)
    assert destinations.decrypt("webhook", stored, destinations.encrypt("whsec_x")).secret == "whsec_x"
    assert not destinations.is_changed(text, stored)
    assert destinations.is_changed(f"{text}0", stored)


async def test_with_another_key_it_cannot_be_read_but_can_be_replaced() -> None:
    stored = open_destinations().encrypt("ann@example.com")
    with pytest.raises(SecretUnreadable):
        open_destinations().decrypt("email", stored, None)
    assert open_destinations().is_changed("ann@example.com", stored)
