"""A token is of one recipient, and stays the same (rules/digests#unsubscribing)."""

import pytest

from tallyroom.digests.tokens import build_message_id, build_unsubscribe_token, is_token_valid, read_digest_id

TOKEN = build_unsubscribe_token("d", "secret", "ann@example.com")


def test_a_token_names_its_digest_and_nothing_else() -> None:
    assert read_digest_id(TOKEN) == "d"
    assert "ann" not in TOKEN
    assert len(TOKEN) == len("d.") + 32
    assert build_unsubscribe_token("d", "secret", "ann@example.com") == TOKEN


@pytest.mark.parametrize(
    ("digest", "secret", "recipient", "fits"),
    [
        ("d", "secret", "ann@example.com", True),
        ("e", "secret", "ann@example.com", False),
        ("d", "other", "ann@example.com", False),
        ("d", "secret", "ben@example.com", False),
    ],
)
def test_a_token_fits_one_recipient(digest: str, secret: str, recipient: str, fits: bool) -> None:
    assert is_token_valid(TOKEN, digest, secret, recipient) == fits


@pytest.mark.parametrize("token", ["", "d", "d.", "d.ü", TOKEN + "0", TOKEN[:-1], TOKEN.upper(), "\0"])
def test_other_texts_fit_nobody(token: str) -> None:
    assert not is_token_valid(token, "d", "secret", "ann@example.com")


def test_the_message_id_is_of_a_digest_a_due_time_and_a_recipient() -> None:
    made = {build_message_id(*each) for each in [("d", 1, "a"), ("e", 1, "a"), ("d", 2, "a"), ("d", 1, "b")]}
    assert len(made) == 4
    assert build_message_id("d", 1, "a") == build_message_id("d", 1, "a")
    assert all(set(each) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-") for each in made)
