"""The profile OpaqueString of RFC 8265, with the lengths of new passwords (rules/people#passwords)."""

import pytest

from tallyroom.auth.prepared_password import prepare_new_password, prepare_password
from tallyroom.core.errors import ValidationFailed


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("Correct horse", "Correct horse"),  # the examples of RFC 8265, section 4.2.3
        ("correct horse battery staple", "correct horse battery staple"),
        ("Correct Horse Battery Staple", "Correct Horse Battery Staple"),
        ("\u03c0\u00df\u00e5", "\u03c0\u00df\u00e5"),
        ("Jack of \u2666s", "Jack of \u2666s"),
        ("foo\u1680bar", "foo bar"),
        ("a\u00a0b\u2003c\u202fd\u3000e", "a b c d e"),
        ("  two  ", "  two  "),
        ("rose\u0301", "ros\u00e9"),
        ("\u1100\u1161", "\uac00"),
        ("\u212b", "\u00c5"),
        ("\uff21\ufb01", "\uff21\ufb01"),  # neither width nor ligature is changed
        ("l\u00b7l", "l\u00b7l"),
        ("\u30fb\u3042\u30fb", "\u30fb\u3042\u30fb"),
        ("\u0661\u0661", "\u0661\u0661"),
        ("\U0001f600", "\U0001f600"),
    ],
)
def test_the_form(typed: str, form: str) -> None:
    assert prepare_password(typed) == form
    assert prepare_password(form) == form


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "",
            "my cat is a \tby",
            "a\x00b",
            "\x7f",
            "a\u200db",
            "\u2764\ufe0f",
            "a\u00ad",
            "\u0378",
            "\ue000",
            "\u1160a",
        ),
        *("l\u00b7a", "\u30fb\u30fb", "\u0661\u06f1", "\u0661" * 3 + "\u06f1", "l\u00b7\u30fb\u30fb\u3042"),
    ],
)
def test_what_the_profile_does_not_allow(typed: str) -> None:
    assert prepare_password(typed) is None


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "must have 10 or more characters"),
        ("e\u0301" * 9, "must have 10 or more characters"),
        ("x" * 257, "must have 256 or fewer characters"),
        ("a long \x07 password", "contains U+0007 at position 8, which passwords cannot contain; remove it"),
        (
            "\u2764\ufe0f a long password",
            "contains U+FE0F at position 2, which passwords cannot contain; remove it",
        ),
    ],
)
def test_what_is_wrong_with_a_new_one(typed: str, reason: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        prepare_new_password(typed, "new")
    assert [(each.path, each.message) for each in refused.value.details] == [(["new"], reason)]


def test_the_length_is_that_of_the_prepared_form() -> None:
    assert prepare_new_password("e\u0301" * 10, "new") == "\u00e9" * 10
    assert prepare_new_password("e\u0301" * 256, "new") == "\u00e9" * 256
    assert prepare_new_password("\u1f82" * 256, "new") == prepare_new_password("\u03b1\u0313\u0300\u0345" * 256, "new")


@pytest.mark.parametrize("character", ["\u30fb", "\u0661", "\u06f1"])
def test_a_text_of_which_each_character_is_judged_by_all_others_is_read_once(
    character: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr("tallyroom.auth.prepared_password._PROFILE.enforce", read.append)
    assert prepare_password(character * 1023 + "\u3042") == character * 1023 + "\u3042"
    assert read == [character + "-" * 1022 + "\u3042"]
