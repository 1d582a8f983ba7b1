"""The subject names the largest change of the dashboard's numbers (rules/digests#subject)."""

from email import message_from_bytes
from email.headerregistry import Address
from email.policy import SMTP
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from harness.builders.hostile import TEXTS
from harness.builders.markup import wicked_texts
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.mail.contents import BigNumber, MailChart, MailNote, WidgetPart
from tallyroom.dashboards.mail.numbers import describe_change
from tallyroom.digests.mail.subject import MAX_LENGTH, build_subject, find_largest_change
from tallyroom.mail.message import MailMessage, compose_email

PERIOD = "13 – 20 Nov 2026"


def number(label: str, value: Any, previous: Any, good: Any = None) -> WidgetPart:
    """A part with one number, whose title names it."""
    return WidgetPart(label, [BigNumber("", str(value), describe_change(value, previous, good))])


def subject(*parts: WidgetPart, name: str = "Shop") -> str:
    return build_subject(name, parts, PERIOD).replace("\N{THIN SPACE}", " ")


@pytest.mark.parametrize(
    ("numbers", "ending"),
    [
        ([("Plays", 1127, 1000)], "Plays ↑ 12.7 %, 13 – 20 Nov 2026"),
        ([("Plays", 1127, 1000), ("Errors", 800, 100)], "Errors ↑ 8.0 ×, 13 – 20 Nov 2026"),
        ([("Plays", 14_000, 10_000), ("Refunds", 3, 1)], "Plays ↑ 40.0 %, 13 – 20 Nov 2026"),
        ([("Plays", 14_000, 10_000), ("Refunds", 0, 50)], "Refunds ↓ 100 %, 13 – 20 Nov 2026"),
        ([("Doubled", 2000, 1000), ("Fallen", 300, 1000)], "Fallen ↓ 70.0 %, 13 – 20 Nov 2026"),
        ([("Down to nothing", 0, 5000)], "Down to nothing ↓ 100 %, 13 – 20 Nov 2026"),
        ([("Good", 2000, 1000, "up"), ("Bad", 2000, 1000, "down")], "Bad ↑ 100 %, 13 – 20 Nov 2026"),
        ([("Good", 3000, 1000, "up"), ("Bad", 2000, 1000, "down")], "Good ↑ 200 %, 13 – 20 Nov 2026"),
        ([("First", 2000, 1000), ("Second", 2000, 1000)], "First ↑ 100 %, 13 – 20 Nov 2026"),
        ([("Plays", 1050, 1000)], PERIOD),
        ([("Plays", 7, 1)], "Plays ↑ 7.0 ×, 13 – 20 Nov 2026"),
        ([("Plays", 6, 1)], PERIOD),
        ([("Rate", 0.9, 0.1)], PERIOD),
        ([("Plays", 1000, 0)], PERIOD),
        ([("Plays", 1000, None)], PERIOD),
        ([("Balance", 500, -500)], PERIOD),
        ([("Plays", 1000, 1000)], PERIOD),
        ([], PERIOD),
    ],
)
def test_which_change_is_named(numbers: list[tuple[Any, ...]], ending: str) -> None:
    assert subject(*(number(*fields) for fields in numbers)) == f"Shop: {ending}"


def test_a_number_is_called_by_its_label_or_else_by_the_title_of_its_card() -> None:
    change = describe_change(2000, 1000, None)
    both = WidgetPart("This week", [BigNumber("Orders", "2,000", change)])
    assert subject(both).startswith("Shop: Orders ↑ 100 %, ")
    assert subject(WidgetPart("This week", [BigNumber("", "2,000", change)])).startswith("Shop: This week ↑ 100 %, ")
    assert subject(WidgetPart("", [BigNumber("", "2,000", change)])) == f"Shop: {PERIOD}"
    charts = WidgetPart("Orders", [BigNumber("", "2,000", change), MailChart("words"), MailNote("x")])
    assert subject(charts).startswith("Shop: Orders ↑ 100 %, ")


@pytest.mark.parametrize(
    ("name", "label", "written"),
    [
        ("a" * 40, "Plays", f"{'a' * 40}: Plays ↑ 100 %, {PERIOD}"),
        ("a" * 50, "Plays", f"{'a' * 50}: Plays ↑ 100 %"),
        ("a" * 50, "Plays of the whole week", f"{'a' * 50}: Plays of the who… ↑ 100 %"),
        ("a" * 66, "Plays of the whole week", f"{'a' * 66}: {PERIOD}"),
        ("a" * 120, "Plays", f"{'a' * 120}: {PERIOD}"),
    ],
)
def test_a_subject_is_short_unless_its_name_is_long(name: str, label: str, written: str) -> None:
    assert subject(number(label, 2000, 1000), name=name) == written
    assert len(written) <= max(MAX_LENGTH, len(f"{name}: {PERIOD}"))


def test_an_arabic_label_leaves_the_order_of_the_rest() -> None:
    assert subject(number("مجاني", 2000, 1000)) == f"Shop: مجاني\N{LEFT-TO-RIGHT MARK} ↑ 100 %, {PERIOD}"


@pytest.mark.parametrize(
    "label", [*wicked_texts("https://evil.example"), *TEXTS, "a\r\nBcc: x@evil.example", "\u202eabc"]
)
def test_a_subject_arrives_as_it_was_made_whatever_the_label_is(fake_clock: Any, label: str) -> None:
    made = build_subject("=?utf-8?q?Shop?= 🫖", [number(label, 2000, 1000)], PERIOD)
    assert made.startswith("=?utf-8?q?Shop?= 🫖: ")
    assert not set("\r\n\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x00") & set(made)
    assert len(made) <= MAX_LENGTH
    message = MailMessage("ann@example.com", made, "text")
    sent = compose_email(message, Address("", "no", "example.com"), fake_clock, IdGenerator(fake_clock)).as_bytes()
    assert str(message_from_bytes(sent, policy=SMTP)["subject"]) == made
    assert message_from_bytes(sent, policy=SMTP)["bcc"] is None


def size(value: int, previous: int) -> Fraction:
    """How many times as large, or as small, a number is, if 50 are added to both."""
    ratio = Fraction(value + 50, previous + 50)
    return max(ratio, 1 / ratio)


@pytest.mark.parametrize("seed", range(300))
def test_no_number_has_changed_by_more_than_the_one_that_is_named(seed: int) -> None:
    chance = Random(seed)
    scale = chance.choice([5, 100, 10_000])
    pairs = [(chance.randint(0, scale), chance.randint(0, scale)) for _ in range(chance.randint(0, 8))]
    named = find_largest_change([number(str(at), *pair) for at, pair in enumerate(pairs)])
    sizes = {at: size(*pair) for at, pair in enumerate(pairs) if pair[1] and pair[0] != pair[1]}
    largest = max(sizes.values(), default=Fraction(1))
    if named is None:
        assert largest < Fraction(11, 10)
    else:
        assert sizes[int(named.label)] + Fraction(1, 100) >= largest >= Fraction(11, 10)
