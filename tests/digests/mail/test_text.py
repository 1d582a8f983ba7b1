"""The same for programs without HTML (rules/digests#email)."""

from harness.builders.digest_mails import HEAD
from tallyroom.dashboards.mail.contents import BigNumber, MailChart, MailNote, MailTable, ThemedPicture, WidgetPart
from tallyroom.dashboards.mail.numbers import NumberChange
from tallyroom.digests.mail.head import DELAY_SENTENCE
from tallyroom.digests.mail.text import build_text
from tallyroom.images.charts.goals import GoalProgress

UNSUBSCRIBE = "https://stats.example.com/unsubscribe/x"

WRITTEN = """\
Shop
13 – 20 Nov 2026
https://stats.example.com/d/1

This week
=========
Orders: 1,204  ↑ 20 % from 1,003, better
12
12 of 10, goal met

Pages
=====
path   Events
/tea    1,000
/cups       7
… 2 more rows

Views
=====
Views per hour: 1 to 23, last 1

one
two

2 more widgets on the dashboard: https://stats.example.com/d/1

--\x20
You get this digest every day at 09:00 (UTC).
Unsubscribe: https://stats.example.com/unsubscribe/x
"""


def test_a_whole_mail() -> None:
    change = NumberChange(1204, 1003, "↑", "20 %", "1,003", "good")
    numbers = [BigNumber("Orders", "1,204", change), BigNumber("", "12", None, GoalProgress("met", 1, "12 of 10"))]
    table = MailTable(
        ("path", "Events"), [("/tea", "1,000"), ("/cups", "7")], (False, True), left_out_note="2 more rows"
    )
    parts = [
        WidgetPart("This week", numbers),
        WidgetPart("Pages", [table]),
        WidgetPart("Views", [MailChart("Views per hour: 1 to 23, last 1", ThemedPicture("chart1", "chart1dark"))]),
        WidgetPart("", [MailNote("one\ntwo")]),
    ]
    assert build_text(HEAD._replace(left_out_count=2), parts, UNSUBSCRIBE) == WRITTEN


def test_the_notes_of_rows_are_below_them() -> None:
    table = MailTable(
        ("Step", "Actors"), [("1. a", "4"), ("2. b", "1")], (False, True), [1, 0.25], row_notes=["−3", ""]
    )
    text = build_text(HEAD, [WidgetPart("Steps", [table])], UNSUBSCRIBE)
    assert "Step  Actors\n1. a       4\n   −3\n2. b       1\n\n" in text


def test_a_number_of_zero_before_has_no_change() -> None:
    number = BigNumber("Orders", "5", NumberChange(5, 0, "", "", "0", "neutral"))
    assert "\nOrders: 5  from 0\n" in build_text(HEAD, [WidgetPart("", [number])], UNSUBSCRIBE)


def test_a_mail_that_did_not_wait_reports_it_below_the_period() -> None:
    text = build_text(HEAD._replace(is_fresh=False), [], UNSUBSCRIBE)
    assert f"{HEAD.period_text}\n{DELAY_SENTENCE}\n" in text
    assert DELAY_SENTENCE not in build_text(HEAD, [], UNSUBSCRIBE)


def test_a_name_cannot_begin_another_part() -> None:
    head = HEAD._replace(title="a\nFake", dashboard_name="b\r\n\r\nFake")
    lines = build_text(
        head, [WidgetPart("c\nFake", [MailTable(("d\nFake",), [("e\nFake",)], (False,))])], "x"
    ).splitlines()
    assert "Fake" not in lines
    assert {"a Fake", "b Fake", "c Fake", "d Fake", "e Fake"} <= set(lines)
