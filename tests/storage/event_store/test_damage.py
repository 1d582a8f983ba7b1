"""What is gone, in a line for operators, and as a notice in answers (rules/questions#notices)."""

import logging

import pytest

from tallyroom.core.times import DAY_MS, month_bounds_ms
from tallyroom.storage.event_store.damage import Damage, DamageList

OCTOBER = month_bounds_ms(202610)
NOVEMBER = month_bounds_ms(202611)
PART = Damage("events", "202610_1_5_2", "set aside (broken-on-start)", 1200, *OCTOBER)


@pytest.fixture
def damages() -> DamageList:
    damages = DamageList()
    damages.replace([PART])
    return damages


def test_a_line_says_what_and_when() -> None:
    assert str(PART) == (
        "events/202610_1_5_2: set aside (broken-on-start), 1,200 rows"
        " from 2026-10-01T00:00:00.000Z to 2026-10-31T23:59:59.999Z"
    )
    assert str(Damage("events", "", "missing", 3)) == "events: missing, 3 rows"
    assert str(Damage("bot_votes", "all_1_1_0", "cannot be read")) == "bot_votes/all_1_1_0: cannot be read"


@pytest.mark.parametrize(
    ("from_ms", "until_ms", "touched"),
    [
        (OCTOBER[1], NOVEMBER[1], True),
        (OCTOBER[1] + 1, NOVEMBER[1], False),
        (0, OCTOBER[0], True),
        (0, OCTOBER[0] - 1, False),
        (OCTOBER[0] + DAY_MS, OCTOBER[0] + 2 * DAY_MS, True),
        (0, NOVEMBER[1], True),
    ],
)
def test_an_answer_that_it_touches_says_so(
    damages: DamageList, from_ms: int, until_ms: int, touched: bool
) -> None:  # a case
    found = damages.notices(from_ms, until_ms)
    assert [notice.code for notice in found] == ["incomplete_data"] * touched
    assert all("2026-10" in notice.message for notice in found)


def test_one_notice_names_every_month(damages: DamageList) -> None:
    damages.replace(
        [PART, Damage("events", "", "missing", 1, *NOVEMBER), Damage("events", "x", "missing", 1, *NOVEMBER)]
    )
    [notice] = damages.notices(0, NOVEMBER[1])
    assert notice.message.endswith("with events of 2026-10, 2026-11.")


def test_what_has_no_time_touches_every_answer_and_bots_none() -> None:
    damages = DamageList()
    damages.replace([Damage("hidden_events", "all_1_1_0", "set aside (broken)")])
    assert len(damages.notices(NOVEMBER[1], NOVEMBER[1])) == 1
    damages.replace([Damage("bot_votes", "202610_1_1_0", "set aside (broken)")])
    assert damages.notices(0, NOVEMBER[1]) == []


def test_the_log_has_what_is_new_and_answers_of_before_are_dropped(
    damages: DamageList, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    damages.replace([PART])
    assert (damages.change_count, caplog.records) == (1, [])
    damages.replace([PART, Damage("events", "", "missing", 1)])
    damages.replace([])
    assert damages.change_count == 3
    assert [record.getMessage() for record in caplog.records] == [
        "a part of the event store is damaged",
        "the event store is complete again",
    ]


def test_a_summary_is_short() -> None:
    damages = DamageList()
    assert damages.summary() == ""
    damages.replace([Damage("events", f"part{number}", "missing") for number in range(9)])
    assert damages.summary().startswith("events/part0: missing; events/part1: missing; ")
    assert damages.summary().endswith("; and 4 more")
