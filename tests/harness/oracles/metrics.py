"""A metric in plain Python: the oracle of dashboards/kinds/metric/question.

Written from rules/questions, not from the engine.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from harness.oracles.calendar_walk import start_of_hour
from harness.oracles.filters import labels_of, matching
from harness.oracles.measures import change, measure
from harness.stores.event_store import NOW_MS
from harness.stores.questions import Happened
from tallyroom.core.ranges import RANGE_DURATION_MS, RollingRange
from tallyroom.core.times import iso_ms

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_AUTOMATIC = {"1h": "minute", "24h": "hour", "30d": "day", "90d": "day"}
_DAYS = {"1d": 1, "7d": 7, "28d": 28}
_MONTHS = {"1mo": 1, "1y": 12}
TOLD_BY_BUCKETS = frozenset({"count", "sum", "avg", "min", "max"})
"""Measures whose value over the whole window follows from what each bucket holds (rules/questions#total)."""

Labelled = dict[str, list[Happened]]


class Charted:
    """The answer to a question over some events."""

    def __init__(
        self,
        events: Iterable[Happened],
        config: dict[str, Any],
        range_: RollingRange,
        zone: str,
        group_key: str | None = None,
    ) -> None:
        self.events = matching((each for each in events if each.name == config["event"]), config.get("filters", []))
        self.config, self.zone, self.group_key = config, ZoneInfo(zone), group_key
        self.window = (NOW_MS - RANGE_DURATION_MS[range_], NOW_MS)
        automatic = "day" if "breakdown" in config else "hour"
        chosen = config.get("interval", "auto")
        self.interval = _AUTOMATIC.get(range_, automatic) if chosen == "auto" else chosen

    def answer(self) -> Any:
        """As a client reads it."""
        if "breakdown" not in self.config:
            return self._timeseries() if self.config.get("overTime") else self._counter()
        current = self._labelled(self.window)
        shown = self._ranked(current)
        if not self.config["overTime"]:
            rows = [named | {"value": self._of(own)} for named, own in self._parts(current, self.window, shown)]
            return {"kind": "categorical", "rows": rows}
        compared = self._compared(default=False)
        before = self._parts(self._labelled(compared), compared, shown) if compared else []
        parts = self._parts(current, self.window, shown)
        series = [
            self._one_series(named, own, before[at][1] if compared else None, compared)
            for at, (named, own) in enumerate(parts)
        ]
        return {"kind": "multiseries", "interval": self.interval, "series": series}

    def _one_series(
        self, named: dict[str, Any], own: list[Happened], before: list[Happened] | None, compared: Any
    ) -> dict[str, Any]:
        """A label is ranked by its total; that of a rest is told only if the buckets tell it."""
        found: dict[str, Any] = {"label": named["label"], "points": self._points(own, self.window)}
        if before is not None:
            found["compared"] = self._points(before, compared)
        if "kind" in named:
            found["kind"] = named["kind"]
        return found | self._totals(own, before, is_ranked="kind" not in named)

    def _totals(self, own: list[Happened], before: list[Happened] | None, *, is_ranked: bool = False) -> dict[str, Any]:
        is_told = self.config["measure"] in TOLD_BY_BUCKETS
        now = {"total": self._of(own)} if is_told or is_ranked or not own else {}
        return now | ({"comparedTotal": self._of(before)} if before is not None and (is_told or not before) else {})

    def _counter(self) -> Any:
        compared = self._compared(default=True)
        value = self._of(self._in(self.window))
        previous = self._of(self._in(compared)) if compared else None
        return {"kind": "counter", "value": value, "previous": previous, "delta": change(value, previous)}

    def _timeseries(self) -> Any:
        found = {
            "kind": "timeseries",
            "interval": self.interval,
            "points": self._points(self._in(self.window), self.window),
        }
        before = None
        if compared := self._compared(default=False):
            before = self._in(compared)
            found["compared"] = self._points(before, compared)
        return found | self._totals(self._in(self.window), before)

    def _of(self, events: Iterable[Happened]) -> Any:
        found = measure(self.config["measure"], self.config.get("property"), events)
        return int(found) if found is not None and float(found).is_integer() else found

    def _in(self, window: tuple[int, int]) -> list[Happened]:
        return [each for each in self.events if window[0] <= each.at_ms <= window[1]]

    def _labels(self, event: Happened) -> list[str]:
        if self.config["breakdown"] != "_group":
            return labels_of(self.config["breakdown"], event)
        group = event.properties.get(self.group_key or "")
        return [group] if isinstance(group, str) and group else []

    def _labelled(self, window: tuple[int, int]) -> Labelled:
        labelled: Labelled = defaultdict(list)
        for each in self._in(window):
            for label in self._labels(each):
                labelled[label].append(each)
        return labelled

    def _ranked(self, labelled: Labelled) -> list[str]:
        def place(label: str) -> tuple[bool, float, bytes]:
            value = self._of(labelled[label])
            return value is None, -(value or 0), label.encode()

        return sorted(labelled, key=place)[: self.config.get("limit", 10)]

    def _parts(
        self, labelled: Labelled, window: tuple[int, int], shown: list[str]
    ) -> list[tuple[dict[str, Any], list[Happened]]]:
        """What is shown, with its events; an event with several of the other labels is there as often."""
        parts: list[tuple[dict[str, Any], list[Happened]]] = [
            ({"label": each}, labelled.get(each, [])) for each in shown
        ]
        rest = self.config.get("rest")
        if rest in {"none", "both"}:
            parts.append(
                ({"label": None, "kind": "none"}, [each for each in self._in(window) if not self._labels(each)])
            )
        if rest in {"other", "both"}:
            others = [each for label, own in labelled.items() if label not in shown for each in own]
            parts.append(({"label": None, "kind": "other"}, others))
        return parts

    def _compared(self, *, default: bool) -> tuple[int, int] | None:
        """The window to compare with."""
        chosen = self.config.get("compare", default)
        first, last = self.window
        if isinstance(chosen, dict):
            return self._earlier(first, chosen["shift"]), self._earlier(last + 1, chosen["shift"]) - 1
        return (first - (last - first), first - 1) if chosen else None

    def _earlier(self, at_ms: int, shift: str) -> int:
        local = datetime.fromtimestamp(at_ms // 1000, self.zone).replace(tzinfo=None, fold=0)
        months = local.year * 12 + local.month - 1 - _MONTHS.get(shift, 0)
        day = local.day
        while not _exists(months, day):
            day -= 1
        moved = local.replace(year=months // 12, month=months % 12 + 1, day=day) - timedelta(days=_DAYS.get(shift, 0))
        return round(moved.replace(tzinfo=self.zone).timestamp()) * 1000 + at_ms % 1000

    def _points(self, events: Iterable[Happened], window: tuple[int, int]) -> Any:
        """Walks in steps of which every bucket has a whole number, and notes where each begins."""
        begins = self._begins(*window)
        own: dict[Any, list[Happened]] = {each: [] for each in begins}
        for event in events:
            own[self._bucket(event.at_ms)].append(event)
        points: list[Any] = [{"t": iso_ms(begins[each]), "value": self._of(found)} for each, found in own.items()]
        if self._bucket(window[0] - 1) == self._bucket(window[0]):
            points[0]["partial"] = True
        if self._bucket(window[1] + 1) == self._bucket(window[1]):
            points[-1]["partial"] = True
            points[-1] |= {"cut": True} if window[1] < NOW_MS else {}
        return points

    def _begins(self, from_ms: int, until_ms: int) -> dict[Any, int]:
        step = 60_000 if self.interval == "minute" else _HOUR_MS // 4
        days_before = {"week": 9, "month": 33}.get(self.interval, 2)
        begins: dict[Any, int] = {}
        for at in range((from_ms - days_before * _DAY_MS) // step * step, until_ms + 1, step):
            begins.setdefault(self._bucket(at), at)
        return {each: at for each, at in begins.items() if each >= self._bucket(from_ms)}

    def _bucket(self, at_ms: int) -> Any:
        if self.interval == "minute":
            return at_ms // 60_000
        if self.interval == "hour":
            return start_of_hour(at_ms, self.zone)
        day = _local_day(at_ms // 60_000, self.zone)
        if self.interval == "week":
            return day.isocalendar()[:2]
        return day if self.interval == "day" else (day.year, day.month)


@cache
def _local_day(minute: int, zone: ZoneInfo) -> date:
    return datetime.fromtimestamp(minute * 60, zone).date()


def _exists(months: int, day: int) -> bool:
    try:
        date(months // 12, months % 12 + 1, day)
    except ValueError:
        return False
    return True
