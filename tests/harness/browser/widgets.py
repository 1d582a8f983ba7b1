"""What the card of a widget has to say, worked out from the answer of the API alone: as a chart, and as a table."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from playwright.sync_api import Locator

from harness.browser.numbers import Reading, Told, agrees, change_told, words_with

ADDITIVE = {"count", "sum"}
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LEVEL = re.compile(r": latest (\S+?)(?: so far)?, minimum (\S+?) on [^,]+(?:, \d\d:\d\d)?, maximum (\S+?) on ")
_TREND = re.compile(r"(rising|falling) (?:by|to) ([^ ]+(?: [%×])?) from the first half")


def check_chart(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    """Fails unless a card as it is drawn has the numbers of its answer."""
    _CHARTS[answer["kind"]](reading, card, config, answer)


def check_table(reading: Reading, card: Locator, answer: Any) -> None:
    """Fails unless a card that is viewed as a table has every number of its answer."""
    reading.table(card.get_by_role("table"), list(_TABLES[answer["kind"]](answer)))


def bucket(t: str, interval: str) -> str:
    """A bucket as tables name it, in a workspace whose zone is UTC."""
    at = datetime.fromisoformat(t)
    day = f"{at.day} {at:%b}"
    return {
        "minute": f"{day}, {at:%H:%M}",
        "hour": f"{day}, {at:%H:%M}",
        "day": f"{at:%a} {day}",
        "week": day,
        "month": f"{at:%b %Y}",
    }[interval]


def check_summary(
    reading: Reading, chart: Locator, lines: Sequence[Sequence[float | None]], partial: Collection[int] = ()
) -> None:
    """Fails unless the words for those who do not see a chart over time have its last, least and greatest values.

    The last may be one of a `partial` bucket; the others and the trend are those of whole buckets.
    """
    where = reading.page.locator(f'[id="{chart.get_attribute("aria-describedby")}"]')
    text = " ".join(where.inner_text().split())
    where.evaluate("each => { each.dataset.compared = '' }")
    told = [line for line in lines if any(value is not None for value in _whole(line, partial))][:8]
    found = _LEVEL.findall(text)
    assert len(found) == len(told), text
    for said, line in zip(found, told, strict=True):
        known = [value for value in _whole(line, partial) if value is not None]
        latest = next(value for value in reversed(line) if value is not None)
        for number, value in zip(said, (latest, min(known), max(known)), strict=True):
            assert agrees(number, Told(value)), f"{number} is not {value} in: {text}"
    trends = [halves for halves in (_halves(_whole(line, partial)) for line in told) if halves is not None]
    for (way, said), (before, after) in zip(_TREND.findall(text), trends, strict=True):
        _, [told_change] = change_told(after, before)
        assert (way == "rising") == (after > before)
        assert agrees(said.removesuffix("×"), told_change), f"{said} is not {told_change} in: {text}"


def _whole(line: Sequence[float | None], partial: Collection[int]) -> list[float | None]:
    return [None if place in partial else value for place, value in enumerate(line)]


def partial_places(points: Sequence[Any]) -> list[int]:
    """Where the points are whose values are of only a part of their bucket."""
    return [place for place, point in enumerate(points) if point.get("partial")]


def _halves(line: Sequence[float | None]) -> tuple[float, float] | None:
    """The means of the first half and of the second, if there is enough to tell; None if they are about the same."""
    known = [value for value in line if value is not None]
    half = len(known) // 2
    if len(known) < 4:
        return None
    before, after = (math.fsum(part) / half for part in (known[:half], known[-half:]))
    return (before, after) if before and abs(after - before) / abs(before) >= 0.05 else None


def body(card: Locator) -> Locator:
    """What is below the head of a card, but for what the server has to say about it."""
    return card.locator(":scope > header + div > div > :first-child")


def _form(display: dict[str, Any]) -> str:
    decimals = display.get("decimals")
    return "exact" if decimals is None else str(decimals)


def _big(display: dict[str, Any]) -> str:
    decimals = display.get("decimals")
    return "big" if decimals is None else str(decimals)


def _changed(answer: Any, form: str, unit: str) -> Any:
    """The line below a number: its change, and what it was before."""
    previous = answer["previous"]
    words, numbers = change_told(answer["value"], previous, unit)
    if previous is not None:
        words, numbers = f"{words} from {{}} {unit}", [*numbers, Told(previous, form)]
    return words, numbers


def _counter(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    display = config.get("display") or {}
    form, unit = _big(display), display.get("unit") or ""
    words, numbers = _changed(answer, form, unit)
    own_unit = "" if answer["value"] is None else unit
    goal = display.get("goal")
    if goal is not None:
        is_limit = display.get("good") == "down"
        is_met = answer["value"] <= goal if is_limit else answer["value"] >= goal
        verdict = "Goal met:" if is_met else "Over the goal:" if is_limit else "Goal:"
        words, numbers = (
            f"{words} {verdict} {{}} of {{}}",
            [*numbers, *(Told(each, "written") for each in (answer["value"], goal))],
        )
    reading.says(body(card), f"{{}} {own_unit} {words}", Told(answer["value"], form), *numbers)


def _over_time(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    display = config.get("display") or {}
    parts = answer["series"] if answer["kind"] == "multiseries" else [answer]
    totals = [part.get("total") for part in parts]
    if len(parts) == 1:
        totals.append(parts[0].get("comparedTotal"))
    unit = display.get("unit") or ""
    legend = card.get_by_role("list", name="Legend")
    shown = [[words_with(f"{{}}{unit}", Told(total, _form(display)))] for total in totals if total is not None]
    reading.cells(legend, shown, row="b", cells=[""])
    lines = [[point["value"] for point in part["points"]] for part in parts]
    check_summary(reading, card.get_by_role("application"), lines, partial_places(parts[0]["points"]))
    if display.get("goal") is not None:
        reading.says(card.get_by_text(re.compile("^Goal ")), "Goal {}", Told(display["goal"]))


def _categorical(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    display = config.get("display") or {}
    rows, unit = answer["rows"], display.get("unit") or ""
    values = [row["value"] or 0 for row in rows]
    is_whole = len(rows) < config.get("limit", 10) or any(row.get("kind") == "other" for row in rows)
    adds_up = config.get("measure") in ADDITIVE and is_whole and sum(values) > 0 and min(values) >= 0
    shown = [
        [
            label(row),
            words_with(f"{{}}{unit}", Told(row["value"], _form(display))),
            Told(value / sum(values), "share") if adds_up else None,
        ]
        for row, value in zip(rows, values, strict=True)
    ]
    reading.cells(card.get_by_role("list").last, shown, row="li", cells=["[data-reach]", "button, b", "em"])


def label(row: Any) -> str:
    """A label as pages write it."""
    return {"none": "(none)", "other": "(other)"}.get(row.get("kind")) or str(row["label"])


def _kpi(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    display = config.get("display") or {}
    unit = display.get("unit") or ""
    shown = []
    for item in answer["items"]:
        words, numbers = _changed(item, _big(display), unit)
        shown.append(
            [item["label"], words_with(f"{{}}{unit}", Told(item["value"], _big(display))), words_with(words, *numbers)]
        )
    parts = [f":scope > div > :nth-child({place})" for place in (1, 2, 3)]
    reading.cells(card.get_by_role("list").last, shown, row="li", cells=parts)


def _funnel(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    if series := answer.get("series"):
        legend = card.get_by_role("list", name="Legend")
        reading.cells(legend, [[each["label"]] for each in series], row="li", cells=[""])
    _steps(reading, card, answer["steps"])
    choice = card.get_by_role("combobox")
    for each in answer.get("series", [])[:1]:
        choice.select_option(each["label"])
        _steps(reading, card, each["steps"])


def _steps(reading: Reading, card: Locator, steps: Any) -> None:
    shown = []
    for number, step in enumerate(steps):
        after = steps[number + 1] if number + 1 < len(steps) else None
        told = [str(number + 1), Told(step["count"]), Told(step["rate"], "share")]
        shown.append([*told, None if after is None else _drop(step, after)])
    parts = ["[data-number]", "div:first-child > button, div:first-child > b", "[data-rate]", ":scope > :nth-child(3)"]
    reading.cells(card.get_by_role("list").last, shown, row="li", cells=parts)


def _drop(step: Any, after: Any) -> Any:
    waiting = step["waiting"]
    stopped = max(step["count"] - after["count"] - waiting, 0)
    words, numbers = ("no one stopped" if step["count"] else "no one left"), []
    if stopped:
        words, numbers = "−{} · {} stopped", [Told(stopped / step["count"], "share"), Told(stopped)]
    if waiting:
        words = f"{words} ·" if stopped else ""
        words, numbers = f"{words} {{}} still {'has' if waiting == 1 else 'have'} time", [*numbers, Told(waiting)]
    if after["medianSecondsFromPrevious"] is not None:
        words, numbers = f"{words} · median {{}}", [*numbers, Told(after["medianSecondsFromPrevious"], "length")]
    return words_with(words, *numbers)


def _retention(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    periods = max(1, *(len(cohort["values"]) - 1 for cohort in answer["cohorts"]))
    is_public = card.get_by_role("table").get_by_role("button").count() == 0
    shown = []
    for cohort in answer["cohorts"]:
        size, back = cohort["size"], cohort["values"][1:]
        shares: list[Any] = [Told(min(each / size, 1), "whole") if size else "" for each in back]
        if is_public and size and back:  # a button says it in its name
            shares[-1] = words_with("{}, in progress", shares[-1])
        shown.append([bucket(cohort["start"], "week"), Told(size), *shares, *[""] * (periods - len(back))])
    reading.table(card.get_by_role("table"), shown)
    reading.says(card.get_by_role("img", name=re.compile("^Shades")), "0 100 %")


def _histogram(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    buckets = answer["buckets"]
    unit = (config.get("display") or {}).get("unit") or ""
    most = max(buckets, key=lambda each: each["count"])
    total = sum(each["count"] for each in buckets)
    words = f"{{}} values from {{}} to {{}} {unit}. Peak: {{}} from {{}} to {{}} {unit}."
    numbers = [Told(total), Told(buckets[0]["from"], "short"), Told(buckets[-1]["to"], "short"), Told(most["count"])]
    numbers += [Told(most["from"], "short"), Told(most["to"], "short")]
    for name in ("median", "p95") if answer.get("percentiles") else ():
        words, numbers = f"{words} {name} {{}} {unit}.", [*numbers, Told(answer["percentiles"][name], "short")]
    chart = card.get_by_role("application")
    reading.says(reading.page.locator(f'[id="{chart.get_attribute("aria-describedby")}"]'), words, *numbers)


def _heatmap(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    cells = [[count or 0 for count in row] for row in answer["cells"]]
    most = max(max(row) for row in cells)
    day = next(number for number, row in enumerate(cells) if most in row)
    words = f"{{}} in total. Peak: {{}} on {DAYS[day]} {cells[day].index(most):02}:00."
    chart = card.get_by_role("application")
    summary = reading.page.locator(f'[id="{chart.get_attribute("aria-describedby")}"]')
    if most == 0:
        reading.says(summary, "No events in this time range.")
    else:
        reading.says(summary, words, Told(sum(map(sum, cells))), Told(most))
    reading.says(card.get_by_role("img", name=re.compile("^Shades")), "0{}", Told(most))


def _table(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    reading.table(card.get_by_role("table"), list(_event_rows(answer, has_moments=False)))


def _event_rows(answer: Any, *, has_moments: bool = True) -> Iterator[list[Any]]:
    for row in answer["rows"]:
        told: list[Any] = []
        for column in answer["columns"]:
            value = row["values"].get(column)
            if column == "time":
                at = datetime.fromisoformat(value)
                told.append(f"{at.day} {at:%b %Y, %H:%M:%S}" if has_moments else None)
            elif column == "actor" and (row.get("event") or {}).get("actorLabel"):
                told.append(row["event"]["actorLabel"])
            else:
                told.append(
                    Told(value, "id" if column == "prop:order_id" else "exact")
                    if isinstance(value, int | float)
                    else value or ""
                )
        yield told


def _external(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    said = " ".join(body(card).inner_text().split())
    reading.cells(body(card), [[None]])
    number, read, _ = said.partition(" fetched ")
    assert read, said
    assert agrees(number, Told(answer["value"], "big")), f"{number} is not {answer['value']}"


def _note(reading: Reading, card: Locator, config: dict[str, Any], answer: Any) -> None:
    reading.says(body(card), answer["text"].replace("**", ""))


_CHARTS: dict[str, Callable[[Reading, Locator, dict[str, Any], Any], None]] = {
    "counter": _counter,
    "timeseries": _over_time,
    "multiseries": _over_time,
    "categorical": _categorical,
    "kpi": _kpi,
    "funnel": _funnel,
    "retention": _retention,
    "histogram": _histogram,
    "heatmap": _heatmap,
    "table": _table,
    "external": _external,
    "note": _note,
}


def _when(point: Any, number: int, interval: str) -> str:
    is_cut = number == 0 or point.get("cut")
    part = "" if not point.get("partial") else ", partial" if is_cut else ", so far"
    return bucket(point["t"], interval) + part


def _timeseries_rows(answer: Any) -> Iterator[list[Any]]:
    compared = answer.get("compared")
    for number, point in enumerate(answer["points"]):
        before = []
        if compared is not None:
            before = [Told(compared[number]["value"] if number < len(compared) else None)]
        yield [_when(point, number, answer["interval"]), *before, Told(point["value"])]


def _multiseries_rows(answer: Any) -> Iterator[list[Any]]:
    for number, point in enumerate(answer["series"][0]["points"]):
        values = [Told(each["points"][number]["value"]) for each in answer["series"]]
        yield [_when(point, number, answer["interval"]), *values]


def _funnel_rows(answer: Any) -> Iterator[list[Any]]:
    series = answer.get("series", [])
    for part in [{"label": "All", "steps": answer["steps"]}, *series]:
        for number, step in enumerate(part["steps"], 1):
            seconds = Told(step["medianSecondsFromPrevious"])
            rate, waiting = Told(round(step["rate"] * 100, 1)), Told(step["waiting"])
            told = [f"{number}. {step['event']}", seconds, rate, waiting, Told(step["count"])]
            yield [part["label"], *told] if series else told


def _retention_rows(answer: Any) -> Iterator[list[Any]]:
    periods = max(0, *(len(cohort["values"]) - 1 for cohort in answer["cohorts"]))
    for cohort in answer["cohorts"]:
        back = cohort["values"][1:]
        later = [Told(None)] * (periods - len(back))
        yield [bucket(cohort["start"], "week"), Told(cohort["size"]), *map(Told, back), *later]


def _counter_rows(answer: Any) -> Iterator[list[Any]]:
    yield [None, *([] if answer["previous"] is None else [Told(answer["previous"])]), Told(answer["value"])]


_TABLES: dict[str, Callable[[Any], Iterable[list[Any]]]] = {
    "counter": _counter_rows,
    "timeseries": _timeseries_rows,
    "multiseries": _multiseries_rows,
    "categorical": lambda answer: ([label(row), Told(row["value"])] for row in answer["rows"]),
    "kpi": lambda answer: ([each["label"], Told(each["previous"]), Told(each["value"])] for each in answer["items"]),
    "funnel": _funnel_rows,
    "retention": _retention_rows,
    "histogram": lambda answer: ([Told(each[part]) for part in ("from", "to", "count")] for each in answer["buckets"]),
    "heatmap": lambda answer: ([day, *map(Told, row)] for day, row in zip(DAYS, answer["cells"], strict=True)),
    "table": _event_rows,
    "external": lambda answer: [[None, Told(answer["value"])]],
    "note": lambda answer: [[line] for line in answer["text"].split("\n")],
}
