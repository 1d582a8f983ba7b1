"""What a rule would have done, as the page of an alert tells it: every hour, every incident, every day."""

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from harness.browser.app import settled
from harness.browser.numbers import Reading, Told
from harness.browser.widgets import bucket
from harness.builders.uneven_workspace import Numbered

DAYS = 30
WEEKLY = range(3, 7)
"""Firings in 30 days that are about one a week."""


def check_back_test(reading: Reading, made: Numbered, rule: Any) -> None:
    """Fails unless the page of a rule tells what its back-test answers."""
    told = _same_minute(reading, made, rule)
    main = reading.page.get_by_role("main")
    table = main.get_by_role("table", name="Back-test")
    highest = _highest_of_hours(told)
    reading.table(
        table, [[bucket(each["t"], "hour"), Told(value)] for each, value in zip(told["points"], highest, strict=True)]
    )
    words = {0: "Would not have fired", 1: "Would have fired once"}.get(told["fired"], "Would have fired {} times")
    numbers = [Told(told["fired"])] if "{}" in words else []
    reading.says(main.get_by_role("heading", name=re.compile("^Would")), words, *numbers)
    _check_days(reading, told)


def frequency(made: Numbered, rule: Any) -> tuple[str, list[Told]]:
    """How often a rule fires, in words with places for numbers, and these."""
    fired = made.ask("/v1/alerts/preview", rule)["fired"]
    if fired in WEEKLY:
        return "about once a week", []
    return ("about once a month", []) if fired == 1 else ("about {} times a month", [Told(fired)])


def _highest_of_hours(told: Any) -> list[Any]:
    """The highest value of each hour, by the values of all minutes."""
    minutes = [
        value
        for value, length in zip(told["minutes"]["values"], told["minutes"]["lengths"], strict=True)
        for _ in range(length)
    ]
    hours = [minutes[start : start + 60] for start in range(0, len(minutes), 60)]
    return [max((value for value in hour if value is not None), default=None) for hour in hours]


def _same_minute(reading: Reading, made: Numbered, rule: Any) -> Any:
    """The answer to the question of the page, which ends with the same minute, with its values as a table."""
    while True:
        main = reading.page.get_by_role("main")
        main.get_by_role("button", name="Back-test menu").click()
        reading.page.get_by_role("menuitem", name="View as table").click()
        last = main.get_by_role("table", name="Back-test").get_by_role("row").last.get_by_role("cell").first
        told = made.ask("/v1/alerts/preview", rule | {"minutes": True})
        if last.inner_text() == bucket(told["points"][-1]["t"], "hour"):
            return told
        reading.page.reload()
        settled(reading.page)


def _check_days(reading: Reading, told: Any) -> None:
    first = datetime.fromisoformat(told["to"]).astimezone(UTC).date() - timedelta(days=DAYS - 1)
    began = Counter(max(datetime.fromisoformat(each["firedAt"]).date(), first) for each in told["incidents"])
    days = reading.page.get_by_role("main").get_by_role("region", name="Day by day", exact=True)
    strip = days.get_by_role("img")
    assert [text for text in strip.locator("span").all_inner_texts() if text] == [
        str(began[on]) for on in sorted(began)
    ]
    reading.cells(strip, [[None]])
    ends = [datetime.fromisoformat(each["resolvedAt"] or told["to"]) for each in told["incidents"]]
    passed = [end - datetime.fromisoformat(each["firedAt"]) for each, end in zip(told["incidents"], ends, strict=True)]
    if passed:
        minutes = sum(passed, timedelta()) // timedelta(minutes=1)
        reading.says(days.get_by_text("in total"), f"{_lasting(minutes)} in total")


def _lasting(minutes: int) -> str:
    """A length of time in its two largest units."""
    units = [
        (minutes // 1_440, "days" if minutes >= 2_880 else "day"),
        (minutes // 60 % 24, "h"),
        (minutes % 60, "min"),
    ]
    first = next((at for at, (count, _) in enumerate(units) if count), None)
    if first is None:
        return "under 1 min"
    return " ".join(f"{count} {unit}" for count, unit in units[first : first + 2] if count)
