"""A chart has at most eight colors, and one gray for all other labels (rules/questions#folded-series)."""

from collections import Counter
from typing import Any, get_args

import msgspec
import pytest

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from tallyroom.core.times import HOUR_MS
from tallyroom.dashboards.kinds.formula.kind import FORMULA
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.folded_labels import LabelLimit, fold_labels, rest_beside
from tallyroom.queries.label_choice import Rest
from tallyroom.storage.event_store.scope import Scope

FOLDED = msgspec.structs.replace(question("24h", interval="hour"), folds_series=True)
COUNT: dict[str, Any] = {"event": "hit", "measure": "count"}
METRIC_CONFIG = COUNT | {"breakdown": "city", "overTime": True}
FORMULA_CONFIG = {"a": COUNT, "expression": "a * 2", "breakdown": "city", "overTime": True}


@pytest.fixture(scope="module")
def cities(event_store: EventStore) -> Scope:
    """Twelve cities with 1 to 12 events, and three events without one; a day earlier, one event of each city."""
    scope = fresh_scope()
    hits = [
        Happened("hit", NOW_MS - hours * HOUR_MS, "u1", {"city": f"c{number:02}"})
        for number in range(1, 13)
        for hours in (*range(number), 24 + number)
    ]
    insert(event_store, scope, [*hits, *(Happened("hit", NOW_MS - HOUR_MS, "u1") for _ in range(3))])
    return scope


def totals(answer: Any) -> list[tuple[str, float]]:
    return [
        (series["label"] or series["kind"], sum(point["value"] for point in series["points"]))
        for series in answer["series"]
    ]


@pytest.mark.parametrize("rest", [None, *get_args(Rest)])
@pytest.mark.parametrize("limit", [1, 7, 8, 9, 50])
def test_no_series_needs_a_ninth_color(limit: int, rest: Rest | None) -> None:
    folded = fold_labels(limit, rest)
    assert folded.limit + (folded.rest in {"none", "both"}) <= 8
    assert folded.limit <= limit
    if folded.limit < limit:
        assert folded.rest in {"other", "both"}
    else:
        assert folded == LabelLimit(limit, rest)


@pytest.mark.parametrize(
    ("label_count", "rest", "expected"),
    [(8, "other", "other"), (7, "other", None), (7, "both", "none"), (7, "none", "none"), (0, None, None)],
)
def test_with_fewer_labels_than_the_limit_there_are_no_others(
    label_count: int, rest: Rest | None, expected: Rest | None
) -> None:
    assert rest_beside(label_count, LabelLimit(8, rest)) == expected


@pytest.mark.parametrize(("kind", "config", "factor"), [(METRIC, METRIC_CONFIG, 1), (FORMULA, FORMULA_CONFIG, 2)])
async def test_the_ninth_label_and_all_further_ones_are_one_series(
    event_store: EventStore, cities: Scope, kind: Any, config: dict[str, Any], factor: int
) -> None:
    folded = await ask(event_store, cities, kind, config | {"limit": 50}, FOLDED)
    shown = [(f"c{number:02}", number * factor) for number in range(12, 4, -1)]
    assert totals(folded) == [*shown, ("other", (1 + 2 + 3 + 4) * factor)]
    assert folded["series"][-1]["total"] == 10 * factor
    whole = await ask(event_store, cities, kind, config | {"limit": 50}, question("24h"))
    assert len(whole["series"]) == 12


@pytest.mark.parametrize(("kind", "config", "factor"), [(METRIC, METRIC_CONFIG, 1), (FORMULA, FORMULA_CONFIG, 2)])
async def test_other_labels_are_compared_too(
    event_store: EventStore, cities: Scope, kind: Any, config: dict[str, Any], factor: int
) -> None:
    folded = await ask(event_store, cities, kind, config | {"compare": True}, FOLDED)
    compared = [sum(point["value"] for point in series["compared"]) for series in folded["series"]]
    assert compared == [*([factor] * 8), 4 * factor]


async def test_events_without_a_label_have_a_color_too(event_store: EventStore, cities: Scope) -> None:
    folded = await ask(event_store, cities, METRIC, METRIC_CONFIG | {"rest": "both"}, FOLDED)
    shown = [(f"c{number:02}", number) for number in range(12, 5, -1)]
    assert totals(folded) == [*shown, ("none", 3), ("other", 15)]


@pytest.mark.parametrize(("kind", "config"), [(METRIC, METRIC_CONFIG), (FORMULA, FORMULA_CONFIG)])
@pytest.mark.parametrize("city_count", [3, 8])
async def test_without_other_labels_there_is_no_such_series(
    event_store: EventStore, cities: Scope, kind: Any, config: dict[str, Any], city_count: int
) -> None:
    few = [{"key": "city", "op": "in", "value": [f"c{number:02}" for number in range(1, city_count + 1)]}]
    asked = msgspec.structs.replace(FOLDED, filters=question(filters=few).filters)
    folded = await ask(event_store, cities, kind, config | {"compare": True}, asked)
    assert Counter(series.get("kind") for series in folded["series"]) == {None: city_count}


async def test_a_card_that_shows_few_labels_stays_as_it_is(event_store: EventStore, cities: Scope) -> None:
    config = METRIC_CONFIG | {"limit": 2}
    asked = question("24h", interval="hour")
    assert await ask(event_store, cities, METRIC, config, FOLDED) == await ask(
        event_store, cities, METRIC, config, asked
    )


async def test_a_ranked_list_is_not_folded(event_store: EventStore, cities: Scope) -> None:
    answer = await ask(event_store, cities, METRIC, COUNT | {"breakdown": "city", "limit": 12}, FOLDED)
    assert len(answer["rows"]) == 12
