"""Every question that is measured: a widget of each kind in each of its shapes, and the pages of actors and groups.

Beside a funnel with times stands the plain one by hand, so that their ratio is what the option costs. The one that
holds a text relies on an actor having one plan: no steps of several plans have to be joined.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from bench import by_hand, by_hand_pages
from bench.by_hand import BUCKET_COUNT, WEEK_COUNT
from bench.by_hand_differences import event_differences, funnel_differences
from bench.history import RARE_ACTOR, RARE_GROUP
from bench.span import HandQuestion


class Question(NamedTuple):
    """A request to the product, and the same question by hand.

    Attributes:
        name: what the table calls it.
        path: of a GET, with what it asks besides environment and span, or that of every preview.
        by_hand: the SQL beside it.
        type: of the widget; "" for a page.
        config: of the widget.
        at: the number behind which to look.
    """

    name: str
    path: str
    by_hand: HandQuestion
    type: str = ""
    config: dict[str, Any] | None = None
    at: dict[str, Any] | None = None

    def request(self, environment: str, span: Mapping[str, str]) -> tuple[str, str, dict[str, Any] | None]:
        """Method, path and body; a span is a time range, or from when to when."""
        scope = {"environment": environment, **span}
        if self.config is None:
            return "GET", f"{self.path}{'&' if '?' in self.path else '?'}{urlencode(scope)}", None
        of_number = {} if self.at is None else {"at": self.at}
        return "POST", self.path, scope | {"type": self.type, "config": self.config} | of_number


def _widget(name: str, by_hand_: HandQuestion, **config: Any) -> Question:
    return Question(name, "/v1/query", by_hand_, name.split(maxsplit=1)[0].rstrip(","), config)


def _differences(name: str, by_hand_: HandQuestion, type_: str, config: dict[str, Any], at: dict[str, Any]) -> Question:
    return Question(f"differences {name}", "/v1/query/differences", by_hand_, type_, config, at)


_EVENT = {"event": "event_0"}
_COUNT = _EVENT | {"measure": "count"}
_ACTORS = _EVENT | {"measure": "uniq_actors"}
_SUM = {"measure": "sum", "property": "amount"}
_P95 = _EVENT | {"measure": "p95", "property": "ms"}
_MEDIAN = {"event": "event_2", "measure": "median", "property": "ms"}
_THIRD = {"event": "event_2", "measure": "count"}
_BY_PLAN = _COUNT | {"breakdown": "plan"}
_IS_PRO = "strings['plan'] = 'pro'"
_IS_TUESDAY_TEN = "toDayOfWeek(timestamp) = 2 AND toHour(timestamp) = 10"
_STEPS = [{"event": f"event_{step}"} for step in range(3)]
_WEEKLY = {"cohortEvent": "event_0", "returnEvent": "event_1", "granularity": "week", "periods": WEEK_COUNT}
_SERVER, _PLAN = "strings['server_id']", "strings['plan']"
_SHARE = {"a": _EVENT | {"measure": "count"}, "b": _THIRD, "expression": "b / a * 100"}
_THREE = ["event_1", "event_2", "event_3"]
_THREE_NAMES = "name IN ('event_1', 'event_2', 'event_3')"
_EITHER = {"any": [{"key": "plan", "op": "eq", "value": "pro"}, {"key": "tags", "op": "has", "value": "alpha"}]}
_EITHER_BY_HAND = "name = 'event_0' AND (strings['plan'] = 'pro' OR has(lists['tags'], 'alpha'))"

WIDGETS = (
    _widget("metric", by_hand.counter("count()"), **_COUNT),
    _widget("metric, sum", by_hand.counter(by_hand.AMOUNT_SUM_SQL), **(_EVENT | _SUM)),
    _widget("metric, p95", by_hand.counter("quantileExactInclusive(0.95)(numbers['ms'])"), **_P95),
    _widget("metric, actors", by_hand.counter("uniqExact(actor)"), **_ACTORS),
    _widget("metric, three events", by_hand.counter("count()", _THREE_NAMES), events=_THREE, measure="count"),
    _widget("metric, any of two", by_hand.counter("count()", _EITHER_BY_HAND), **_COUNT, filters=[_EITHER]),
    _widget("metric over time", by_hand.by_day("count()"), **_COUNT, overTime=True),
    _widget("metric over time, weeks", by_hand.by_week("count()"), **_COUNT, overTime=True, interval="week"),
    _widget("metric over time, actors", by_hand.by_day("uniqExact(actor)"), **_ACTORS, overTime=True),
    _widget("formula", by_hand.share, **_SHARE),
    _widget("formula by text", by_hand.share_by_label("strings['plan']"), **_SHARE, breakdown="plan"),
    _widget("metric by text", by_hand.by_label("strings['plan']"), **_COUNT, breakdown="plan"),
    _widget("metric by number", by_hand.by_label("toString(numbers['ms'])"), **_COUNT, breakdown="ms"),
    _widget(
        "metric by number, with rest",
        by_hand.by_label_with_rest("toString(numbers['ms'])"),
        **_COUNT,
        breakdown="ms",
        rest="both",
    ),
    _widget("metric by list", by_hand.by_label("arrayJoin(lists['tags'])"), **_COUNT, breakdown="tags"),
    _widget(
        "metric by text over time, sum",
        by_hand.by_label_and_day(by_hand.AMOUNT_SUM_SQL),
        **(_EVENT | _SUM),
        breakdown="plan",
        overTime=True,
    ),
    _widget("kpi of 4", by_hand.kpi, items=[_COUNT, _ACTORS, {"event": "event_1"} | _SUM, _MEDIAN]),
    _widget("table of 25", by_hand.table, columns=["time", "event", "actor", "prop:plan"]),
    _widget("funnel of 3", by_hand.funnel("actor"), steps=_STEPS),
    _widget("funnel of 3, groups", by_hand.funnel(_SERVER), steps=_STEPS, count="group"),
    _widget("funnel of 3, by text", by_hand.funnel("actor", label=_PLAN), steps=_STEPS, breakdown="plan"),
    _widget("funnel of 3, with times", by_hand.funnel("actor"), steps=_STEPS, times=True),
    _widget("funnel of 3, holding a text", by_hand.funnel(f"actor, {_PLAN}"), steps=_STEPS, holding="plan"),
    _widget(
        "funnel of 3, without an event between",
        by_hand.funnel("actor", exclude=9),
        steps=_STEPS,
        exclude=[{"event": "event_9", "between": [1, 2]}],
    ),
    _widget("retention of 8 weeks", by_hand.retention("actor"), **_WEEKLY),
    _widget("retention of 8 weeks, groups", by_hand.retention(_SERVER), **_WEEKLY, count="group"),
    _widget("histogram", by_hand.histogram, **_EVENT, property="amount", buckets=BUCKET_COUNT),
    _widget("heatmap", by_hand.heatmap, **_EVENT),
)

PAGES = (
    Question("actors", "/v1/actors", by_hand_pages.actors("events")),
    Question("actors, last seen", "/v1/actors?sort=lastSeen", by_hand_pages.actors("last")),
    Question("actors, first seen", "/v1/actors?sort=firstSeen", by_hand_pages.actors("first")),
    Question("behind a number", "/v1/query/actors", by_hand_pages.behind, "metric", _ACTORS, {}),
    Question("groups", "/v1/groups", by_hand_pages.groups),
    Question("rare actor", f"/v1/actors/{RARE_ACTOR}", by_hand_pages.rare_actor),
    Question("rare group", f"/v1/groups/{RARE_GROUP}", by_hand_pages.rare_group),
)

DIFFERENCES = (
    _differences(
        "of a label",
        event_differences("strings['plan'] = 'pro'", with_plan=False),
        "metric",
        _BY_PLAN,
        {"label": "pro"},
    ),
    _differences(
        "of an hour of the week",
        event_differences(_IS_TUESDAY_TEN, with_plan=True),
        "heatmap",
        _EVENT,
        {"cell": [1, 10]},
    ),
    _differences("of a step", funnel_differences, "funnel", {"steps": _STEPS}, {"step": 2, "outcome": "reached"}),
)

DIFFERENCES_OF_MANY = _differences(
    "of an hour of the week, three names",
    event_differences(_IS_TUESDAY_TEN, "name IN ('event_0', 'event_2', 'event_5')", with_plan=True),
    "heatmap",
    {"events": ["event_0", "event_2", "event_5"]},
    {"cell": [1, 10]},
)
"""Of 1 million events, 288,000 are events of the question."""

WITH_HISTORY = tuple(each for each in WIDGETS if each.type != "retention")
"""Retention asks for the first event that a unit ever had, so it alone has to look at everything."""

_LEFT_OUT = {"metric, sum", "metric, p95", "metric by list", "funnel of 3, groups", "retention of 8 weeks, groups"}
_LEFT_OUT |= {"metric, three events", "metric, any of two", "metric over time, weeks"}
_LEFT_OUT |= {"funnel of 3, by text", "funnel of 3, with times", "funnel of 3, holding a text"}
_LEFT_OUT |= {"funnel of 3, without an event between"}
_LEFT_OUT |= {"formula", "formula by text", "metric by number", "metric by number, with rest"}

DASHBOARD = tuple(each for each in WIDGETS if each.name not in _LEFT_OUT)
"""Twelve of the widgets, one of each kind at least."""
