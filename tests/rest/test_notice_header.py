"""Notices of answers that have no room for them (rules/questions#notices)."""

from tallyroom.core.notices import NOT_UP_TO_DATE, Notice
from tallyroom.rest.notice_header import format_notice_header


def test_each_code_appears_once() -> None:
    damages = [Notice("incomplete_data", f"Part {number} is damaged.") for number in range(2)]
    assert format_notice_header([*damages, NOT_UP_TO_DATE]) == "incomplete_data, not_up_to_date"
