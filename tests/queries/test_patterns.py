"""Regular expressions are checked beside the event loop, when they arrive and never again."""

import threading
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from tallyroom.core.errors import ValidationFailed
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries import patterns
from tallyroom.queries.filters import Filter
from tallyroom.queries.patterns import check_patterns, find_patterns

_REGEX = {"key": "p", "op": "regex", "value": "x"}
_OTHER = {"key": "p", "op": "eq", "value": "y"}


@pytest.mark.parametrize(
    ("kind", "config", "places"),
    [
        ("metric", {"event": "e", "measure": "count", "filters": [_OTHER, _REGEX]}, [["filters", 1, "value"]]),
        (
            "formula",
            {
                "a": {"event": "e", "measure": "count", "filters": [_REGEX]},
                "c": {"event": "e", "measure": "count", "filters": [_OTHER, _REGEX]},
                "expression": "a / c",
            },
            [["a", "filters", 0, "value"], ["c", "filters", 1, "value"]],
        ),
        ("histogram", {"event": "e", "property": "p", "filters": [_REGEX]}, [["filters", 0, "value"]]),
        ("heatmap", {"event": "e", "filters": [_REGEX]}, [["filters", 0, "value"]]),
        ("table", {"columns": ["time"], "filters": [_REGEX]}, [["filters", 0, "value"]]),
        (
            "kpi",
            {"items": [{"event": "e", "measure": "count"}, {"event": "e", "measure": "count", "filters": [_REGEX]}]},
            [["items", 1, "filters", 0, "value"]],
        ),
        (
            "funnel",
            {"steps": [{"event": "e", "filters": [_REGEX]}, {"event": "e", "filters": [_OTHER, _REGEX]}]},
            [["steps", 0, "filters", 0, "value"], ["steps", 1, "filters", 1, "value"]],
        ),
        (
            "retention",
            {"cohortEvent": "e", "cohortFilters": [_REGEX], "returnFilters": [_REGEX]},
            [["cohortFilters", 0, "value"], ["returnFilters", 0, "value"]],
        ),
        ("note", {"text": "x"}, []),
        ("external", {"sourceId": "s", "url": "https://a.example", "valuePath": "a", "valueType": "text"}, []),
    ],
)
def test_every_pattern_of_a_config_is_found_with_its_place(
    kind: str, config: dict[str, Any], places: list[list[str | int]]
) -> None:
    read = msgspec.convert(config, KINDS[kind].config)
    assert [(list(place), text) for place, text in find_patterns(read, ["config"])] == [
        (["config", *place], "x") for place in places
    ]


def test_no_kind_is_left_out() -> None:
    """Whoever adds one adds a case above."""
    charts = {"formula", "metric", "histogram", "heatmap", "table", "kpi", "funnel", "retention"}
    assert set(KINDS) == charts | {"note", "external"}


async def test_a_wrong_one_is_refused_with_its_place() -> None:
    sent = (Filter(key="p", op="regex", value="a"), Filter(key="p", op="regex", value="("))
    with pytest.raises(ValidationFailed) as refused:
        await check_patterns(sent, ["filters"])
    [detail] = refused.value.details
    assert (detail.path, detail.message) == (["filters", 1, "value"], "is not a regular expression (RE2)")


async def test_another_thread_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def check(_texts: Sequence[str]) -> None:
        threads.append(threading.get_ident())

    monkeypatch.setattr(patterns, "find_wrong_pattern", check)
    await check_patterns([Filter(key="p", op="regex", value="a")], ["filters"])
    assert len(threads) == 1
    assert threads != [threading.get_ident()]


async def test_without_patterns_no_thread_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "find_wrong_pattern", lambda _: pytest.fail("there is nothing to check"))
    await check_patterns([Filter(key="p", op="eq", value="a")], ["filters"])
