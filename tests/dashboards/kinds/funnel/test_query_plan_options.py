"""Funnel: series by label, times, held values and exclusions, from what a person can count to random sets."""

from dataclasses import replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from harness.builders.events import FEW, MANY, NAMES
from harness.builders.journeys import FILTERS, NO_FILTERS, STEPS, at, counts, made_config, made_event, went
from harness.oracles.filters import matching
from harness.oracles.funnels import expected_funnel
from harness.stores.event_store import EventStore, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, in_window, insert, insert_each, question
from harness.suite.few import few
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import RollingRange
from tallyroom.core.value_colors import assign_colors
from tallyroom.dashboards.kinds.funnel.answer import Funnel, FunnelSeries
from tallyroom.dashboards.kinds.funnel.kind import FUNNEL

VISIT, SIGNUP, PAY = STEPS
CANCEL = {"event": "cancel", "between": [1, 2]}


class TestHolding:
    """All events of a chain have the same value."""

    async def test_a_chain_keeps_to_one_value(self, event_store: EventStore) -> None:
        events = [
            *went("u1", "visit 09:00", order="a"),
            *went("u1", "signup 09:10", order="b"),
            *went("u2", "visit 09:00", "signup 09:10", order="a"),
            *went("u3", "visit 09:00", "signup 09:10"),
        ]
        assert await counts(event_store, events, STEPS[:2], holding="order") == [2, 1]

    @few(
        2,
        ("one", "other", "reached"),
        [("1", 1, 0), (1, 1.0, 1), (True, "true", 0), (["x", "y"], "y", 1), (["1"], 1, 0), ([], [], 0), ("", "", 1)],
    )
    async def test_values_are_the_same_where_uniq_counts_one(
        self, event_store: EventStore, one: Any, other: Any, reached: int
    ) -> None:
        events = [*went("u1", "visit 09:00", order=one), *went("u1", "signup 09:10", order=other)]
        assert (await counts(event_store, events, STEPS[:2], holding="order"))[1] == reached

    async def test_the_time_is_that_of_the_value_that_arrived_first(self, event_store: EventStore) -> None:
        scope = fresh_scope()
        events = [
            *went("u1", "visit 09:00", "signup 10:00", order="a"),
            *went("u1", "visit 09:50", "signup 10:10", order="b"),
            *went("u1", "visit 09:58", "signup 11:00", order="c"),
        ]
        insert(event_store, scope, events)
        answer = await ask(event_store, scope, FUNNEL, {"steps": STEPS[:2], "holding": "order"}, question())
        assert answer["steps"][1]["medianSecondsFromPrevious"] == 3600

    @pytest.mark.long
    async def test_of_two_values_that_arrive_at_one_moment_the_order_of_arrival_decides(
        self, event_store: EventStore
    ) -> None:
        for late_ms, took in ((1, 600), (0, 1200)):
            scope = fresh_scope()
            events = [
                *went("u1", "visit 09:00", order="a"),
                *went("u1", "visit 09:10", order="b"),
                Happened("signup", at("09:20"), "u1", {"order": "a"}, late_ms=late_ms, seq=2),
                Happened("signup", at("09:20"), "u1", {"order": "b"}, late_ms=0, seq=3),
            ]
            insert(event_store, scope, events)
            answer = await ask(event_store, scope, FUNNEL, {"steps": STEPS[:2], "holding": "order"}, question())
            assert answer["steps"][1]["medianSecondsFromPrevious"] == took

    async def test_a_list_that_arrives_for_two_values_takes_the_shorter_time(self, event_store: EventStore) -> None:
        scope = fresh_scope()
        events = [
            *went("u1", "visit 09:00", order="a"),
            *went("u1", "visit 09:10", order="b"),
            *went("u1", "signup 09:20", order=["a", "b"]),
        ]
        insert(event_store, scope, events)
        answer = await ask(event_store, scope, FUNNEL, {"steps": STEPS[:2], "holding": "order"}, question())
        assert answer["steps"][1]["medianSecondsFromPrevious"] == 600


class TestExclude:
    """An event between two steps spoils the chain."""

    @pytest.mark.parametrize(
        ("happened", "expected"),
        [
            (["visit 09:00", "cancel 09:05", "signup 09:10"], [1, 0, 0]),
            (["cancel 08:00", "visit 09:00", "signup 09:10", "cancel 09:20", "pay 09:30"], [1, 1, 1]),
            (["visit 09:00", "cancel 09:05", "visit 09:06", "signup 09:10", "pay 09:30"], [1, 1, 1]),
            (["visit 09:00", "signup 09:10", "visit 09:11", "cancel 09:12", "signup 09:13", "pay 09:30"], [1, 1, 1]),
        ],
    )
    async def test_the_best_chain_counts(
        self, event_store: EventStore, happened: list[str], expected: list[int]
    ) -> None:
        assert await counts(event_store, went("u1", *happened), STEPS, exclude=[CANCEL]) == expected

    async def test_it_may_lie_before_the_last_but_one_step(self, event_store: EventStore) -> None:
        events = went("u1", "visit 09:00", "cancel 09:05", "signup 09:10", "pay 09:30")
        excluded = {"event": "cancel", "between": [1, 3]}
        assert await counts(event_store, events, STEPS, exclude=[excluded]) == [1, 1, 0]

    async def test_filters_decide_what_spoils(self, event_store: EventStore) -> None:
        events = [*went("u1", "visit 09:00", "signup 09:10"), *went("u1", "cancel 09:05", plan="pro")]
        for plan, reached in (("pro", 0), ("free", 1)):
            excluded = CANCEL | {"filters": [{"key": "plan", "op": "eq", "value": plan}]}
            assert await counts(event_store, events, STEPS[:2], exclude=[excluded]) == [1, reached]

    async def test_an_event_of_the_chain_does_not_spoil_it(self, event_store: EventStore) -> None:
        excluded = [{"event": "visit", "between": [1, 2]}, {"event": "signup", "between": [1, 2]}]
        events = went("u1", "visit 09:00", "signup 09:10")
        assert await counts(event_store, events, STEPS[:2], exclude=excluded) == [1, 1]

    @pytest.mark.parametrize(
        ("order", "expected"), [("a", [1, 0]), ("b", [1, 1]), (["b", "a"], [1, 0]), (None, [1, 0])]
    )
    async def test_with_a_value_it_spoils_the_chains_of_that_value(
        self, event_store: EventStore, order: Any, expected: list[int]
    ) -> None:
        events = [*went("u1", "visit 09:00", "signup 09:10", order="a"), *went("u1", "cancel 09:05", order=order)]
        assert await counts(event_store, events, STEPS[:2], exclude=[CANCEL], holding="order") == expected

    @pytest.mark.long
    @pytest.mark.parametrize(("cancelled", "expected"), [(1, [1, 1]), (3, [1, 0]), (5, [1, 1])])
    async def test_at_one_moment_the_order_of_arrival_decides(
        self, event_store: EventStore, cancelled: int, expected: list[int]
    ) -> None:
        seqs = {"visit": 2, "cancel": cancelled, "signup": 4}
        events = [Happened(name, at("09:00"), "u1", seq=seq) for name, seq in seqs.items()]
        assert await counts(event_store, events, STEPS[:2], exclude=[CANCEL]) == expected


class TestTimes:
    """How long each step took."""

    async def times(self, store: EventStore, *minutes: int) -> Any:
        scope = fresh_scope()
        for number, each in enumerate(minutes):
            insert(store, scope, went(f"u{number}", "visit 09:00", f"signup 09:{each:02}"))
        answer = await ask(store, scope, FUNNEL, {"steps": STEPS, "times": True}, question())
        assert ["times" in step for step in answer["steps"]] == [False, True, True]
        assert answer["steps"][2]["times"] == []
        return answer["steps"][1]["times"]

    async def test_twenty_buckets_of_one_width(self, event_store: EventStore) -> None:
        found = await self.times(event_store, 10, 11, 29, 30)
        assert [(each["from"], each["to"]) for each in found] == [(60.0 * at, 60.0 * (at + 1)) for at in range(10, 30)]
        assert [each["count"] for each in found] == [1, 1, *[0] * 17, 2]

    async def test_one_bucket_if_all_took_the_same(self, event_store: EventStore) -> None:
        assert await self.times(event_store, 10, 10) == [{"from": 600, "to": 600, "count": 2}]

    async def test_none_if_nobody_came(self, event_store: EventStore) -> None:
        assert await self.times(event_store) == []


class TestBreakdown:
    """A funnel for each label of the first step."""

    @pytest.mark.long
    async def test_each_label_of_the_first_step_has_its_funnel(self, event_store: EventStore) -> None:
        scope = fresh_scope()
        events = [
            *went("u1", "visit 09:00", tags=["x", "y"]),
            *went("u1", "signup 09:10", tags="z"),
            *went("u2", "visit 09:00", tags="x"),
            *went("u3", "visit 09:00", "signup 09:20"),
        ]
        insert(event_store, scope, events)
        config = {"steps": STEPS[:2], "breakdown": "tags"}
        answer = await ask(event_store, scope, FUNNEL, config, question())
        assert [step["count"] for step in answer["steps"]] == [3, 2]
        assert [(each["label"], [step["count"] for step in each["steps"]]) for each in answer["series"]] == [
            ("x", [2, 1]),
            ("y", [1, 1]),
        ]
        assert answer["series"][0]["steps"][1] == {
            "event": "signup",
            "count": 1,
            "rate": 0.5,
            "stepRate": 0.5,
            "waiting": 0,
            "medianSecondsFromPrevious": 600.0,
        }

    async def test_without_labels_there_are_no_series(self, event_store: EventStore) -> None:
        scope = fresh_scope()
        insert(event_store, scope, went("u1", "visit 09:00"))
        answer = await ask(event_store, scope, FUNNEL, {"steps": STEPS, "breakdown": "absent"}, question())
        assert (answer["series"], answer["steps"][0]["count"]) == ([], 1)

    async def test_the_ten_labels_that_most_units_start_with(self, event_store: EventStore) -> None:
        scope = fresh_scope()
        insert(
            event_store, scope, [event for n in range(12) for event in went(f"u{n}", "visit 09:00", tags=f"l{n:02}")]
        )
        insert(event_store, scope, went("v", "visit 09:00", "visit 09:01", tags=["l11", "l05"]))
        answer = await ask(event_store, scope, FUNNEL, {"steps": STEPS, "breakdown": "tags"}, question())
        labels = [each["label"] for each in answer["series"]]
        assert labels == ["l05", "l11", *(f"l{n:02}" for n in (0, 1, 2, 3, 4, 6, 7, 8))]

    async def test_an_event_of_the_label_serves_one_step(self, event_store: EventStore) -> None:
        scope = fresh_scope()
        insert(event_store, scope, [*went("u1", "visit 09:00", tags="x"), *went("u1", "visit 09:10", tags="y")])
        config = {"steps": [VISIT, VISIT], "breakdown": "tags"}
        answer = await ask(event_store, scope, FUNNEL, config, question())
        assert [[step["count"] for step in each["steps"]] for each in answer["series"]] == [[1, 1], [1, 0]]

    @pytest.mark.parametrize("masked", ["_actor", "_source", "_actorLabel", "team", "prop:team"])
    def test_names_are_masked_in_public(self, masked: str) -> None:
        config = checked(FUNNEL, {"steps": STEPS, "breakdown": masked, "display": {"colors": {"bob": 5, "eve": 6}}})
        answer = Funnel(unit_kind="actor", steps=[], series=[FunnelSeries("ann", []), FunnelSeries("bob", [])])
        shown = FUNNEL.build_public_result(config, answer, ["team"])
        assert isinstance(shown, Funnel)
        ann_color = assign_colors(["ann", "bob"], {"bob": 5})["ann"]
        assert shown.series == [FunnelSeries("••• 1", [], ann_color), FunnelSeries("••• 2", [], 5)]

    def test_other_labels_are_public(self) -> None:
        config = checked(FUNNEL, {"steps": STEPS, "breakdown": "plan"})
        answer = Funnel(unit_kind="actor", steps=[], series=[FunnelSeries("pro", [])])
        shown = FUNNEL.build_public_result(config, answer, ["team"])
        assert isinstance(shown, Funnel)
        assert shown.series == [FunnelSeries("pro", [], assign_colors(["pro"], {})["pro"])]


ALL_OPTIONS = {
    "steps": STEPS,
    "count": "group",
    "breakdown": "plan",
    "times": True,
    "holding": "order",
    "exclude": [CANCEL | {"between": [1, 3]}],
}
LABELS = [SimpleNamespace(label="pro"), SimpleNamespace(label="free")]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("exclude", {"exclude": ALL_OPTIONS["exclude"]}),
        ("holding", {"holding": "order"}),
        ("times", {"times": True, "steps": STEPS[:2]}),
        ("breakdown", {"breakdown": "plan"}),
        ("all_options", ALL_OPTIONS),
    ],
)
def test_sql(name: str, options: dict[str, Any]) -> None:
    answers = [LABELS] if "breakdown" in options else []
    assert_sql(f"funnel_{name}", FUNNEL, {"steps": STEPS} | options, question(group_key="team"), *answers)


@pytest.mark.parametrize(
    "wrong",
    [
        {"exclude": [CANCEL] * 6},
        {"exclude": [{"event": "cancel"}]},
        {"exclude": [CANCEL | {"between": [1, 2, 3]}]},
        {"exclude": [CANCEL | {"between": [1]}]},
        {"exclude": [CANCEL | {"between": [1, 2.5]}]},
        {"exclude": [CANCEL | {"window": 1}]},
        {"holding": ""},
        {"holding": ["a", "b"]},
        {"breakdown": ""},
        {"times": 20},
    ],
)
def test_what_is_no_option_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        checked(FUNNEL, {"steps": STEPS} | wrong)


@pytest.mark.parametrize("between", [[0, 1], [1, 1], [2, 1], [1, 4], [-1, 2], [4, 5]])
def test_an_exclusion_is_between_two_steps_in_their_order(between: list[int]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(FUNNEL, {"steps": STEPS, "exclude": [CANCEL, CANCEL | {"between": between}]})
    assert refused.value.details[0].path == ["config", "exclude", 1, "between"]


def test_a_filter_without_its_value_is_refused_with_its_exclusion() -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(FUNNEL, {"steps": STEPS, "exclude": [CANCEL | {"filters": [{"key": "plan", "op": "eq"}]}]})
    assert refused.value.details[0].path == ["config", "exclude", 0, "filters", 0, "value"]


VALUES: list[Any] = ["a", "a", "a", "b", "b", 1, "1", True, ["a", "b"], ["b", "1"], None]
LABELLED: list[Any] = ["x", "x", "y", ["x", "y"], ["y", "z"], True, "", None]


def made_case(source: Random) -> tuple[list[Happened], RollingRange, dict[str, Any], list[dict[str, Any]]]:
    """Events, a range, a config with some of the options, and the filters of a segment."""
    events = []
    for _ in range(source.randint(0, 30)):
        each = made_event(source)
        properties = {"order": source.choice(VALUES), "tags": source.choice(LABELLED), **each.properties}
        events.append(replace(each, properties=properties))
    config = made_config(source)
    last = len(config["steps"])
    if source.random() < 0.6:
        config["exclude"] = [_exclusion(source, last) for _ in range(source.choice([1, 1, 1, 2, 5]))]
    if source.random() < 0.6:
        config["holding"] = source.choice(["order", "order", "prop:order", "_source"])
    if source.random() < 0.6:
        config["breakdown"] = source.choice(["tags", "tags", "prop:tags", "_source", "name"])
    if source.random() < 0.6:
        config["times"] = True
    return events, source.choice(["24h", "7d"]), config, source.choice(NO_FILTERS + FILTERS)


def _exclusion(source: Random, last: int) -> dict[str, Any]:
    earlier = source.randint(1, last - 1)
    between = [earlier, source.randint(earlier + 1, last)]
    return {"event": source.choice(NAMES), "filters": source.choice(NO_FILTERS + FILTERS), "between": between}


@pytest.mark.long
async def test_they_equal_the_best_of_all_chains(event_store: EventStore) -> None:
    await compare(event_store, Random(1), FEW // 2)


@pytest.mark.long
async def test_they_equal_the_best_of_all_chains_long(event_store: EventStore) -> None:
    await compare(event_store, Random("long"), MANY // 5)


async def compare(store: EventStore, source: Random, cases: int) -> None:
    """All options together over random sets, by actor and by group."""
    made = [(fresh_scope(), *made_case(source)) for _ in range(cases)]
    insert_each(store, [(scope, events) for scope, events, *_ in made])
    for scope, events, time_range, config, segment in made:
        counted = matching(in_window(events, time_range), segment)
        whole = config | {"count": source.choice(["actor", "actor", "group"])}
        answer = await ask(store, scope, FUNNEL, whole, question(time_range, group_key="g", filters=segment))
        assert answer == expected_funnel(counted, whole), (whole, events)


@pytest.mark.long
async def test_a_series_is_the_funnel_with_its_label_in_the_first_step(event_store: EventStore) -> None:
    source = Random("series")
    made = [(fresh_scope(), *made_case(source)) for _ in range(FEW)]
    insert_each(event_store, [(scope, events) for scope, events, *_ in made])
    compared = 0
    for scope, _, time_range, config, segment in made:
        asked = question(time_range, filters=segment)
        answer = await ask(event_store, scope, FUNNEL, config | {"breakdown": "_source"}, asked)
        first, *later = config["steps"]
        for each in answer["series"]:
            only = first["filters"] + [{"key": "_source", "op": "eq", "value": each["label"]}]
            narrowed = {**config, "steps": [first | {"filters": only}, *later]}
            narrowed.pop("breakdown", None)
            assert each["steps"] == (await ask(event_store, scope, FUNNEL, narrowed, asked))["steps"]
            compared += 1
    assert compared > FEW // 2


@pytest.mark.long
async def test_an_exclusion_more_never_lets_more_through(event_store: EventStore) -> None:
    source = Random("exclusions")
    made = [(fresh_scope(), *made_case(source)) for _ in range(FEW)]
    insert_each(event_store, [(scope, events) for scope, events, *_ in made])
    fewer = 0
    for scope, _, time_range, config, segment in made:
        excluded = [_exclusion(source, len(config["steps"])) for _ in range(3)]
        found = []
        for number in range(4):
            narrowed = {"steps": config["steps"], "exclude": excluded[:number]}
            answer = await ask(event_store, scope, FUNNEL, narrowed, question(time_range, filters=segment))
            found.append([step["count"] for step in answer["steps"]])
        for before, after in pairwise(found):
            assert all(one >= other for one, other in zip(before, after, strict=True))
            fewer += before != after
    assert fewer > 1
