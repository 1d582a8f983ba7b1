"""Regular expressions are checked beside the event loop, when they arrive and never again."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.engine import patterns
from tallyroom.engine.filters import Filter
from tallyroom.engine.patterns import check_patterns, patterns_in
from tallyroom.engine.registry import KINDS

_REGEX = {"key": "p", "op": "regex", "value": "x"}
_OTHER = {"key": "p", "op": "eq", "value": "y"}


@pytest.mark.parametrize(
    ("kind", "config", "places"),
    [
        ("metric", {"event": "e", "measure": "count", "filters": [_OTHER, _REGEX]}, [["filters", 1, "value"]]),
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
    ],
)
def test_every_pattern_of_a_config_is_found_with_its_place(
    kind: str, config: dict[str, Any], places: list[list[str | int]]
) -> None:
    read = msgspec.convert(config, KINDS[kind].config)
    assert [(list(place), text) for place, text in patterns_in(read, ["config"])] == [
        (["config", *place], "x") for place in places
    ]


def test_no_kind_is_left_out() -> None:
    """Whoever adds one adds a case above."""
    assert set(KINDS) == {"metric", "histogram", "heatmap", "table", "kpi", "funnel", "retention", "note"}


async def test_a_wrong_one_is_refused_with_its_place() -> None:
    sent = (Filter(key="p", op="regex", value="a"), Filter(key="p", op="regex", value="("))
    with pytest.raises(ValidationFailed) as refused:
        await check_patterns(sent, ["filters"])
    [detail] = refused.value.details
    assert (detail.path, detail.message) == (["filters", 1, "value"], "is not a regular expression (RE2)")


async def test_another_thread_does_it_and_the_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []
    began, loop_went_on = threading.Event(), threading.Event()

    def check(_texts: Sequence[str]) -> None:
        threads.append(threading.get_ident())
        began.set()
        assert loop_went_on.wait(10)

    monkeypatch.setattr(patterns, "first_wrong", check)
    checking = asyncio.create_task(check_patterns([Filter(key="p", op="regex", value="a")], ["filters"]))
    assert await asyncio.to_thread(began.wait, 10)
    loop_went_on.set()
    await checking
    assert threads != [threading.get_ident()]


async def test_without_patterns_no_thread_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "first_wrong", lambda _: pytest.fail("there is nothing to check"))
    await check_patterns([Filter(key="p", op="eq", value="a")], ["filters"])


async def test_only_so_many_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def check(_texts: Sequence[str]) -> None:
        go_on.wait(10)

    monkeypatch.setattr(patterns, "first_wrong", check)
    one = [Filter(key="p", op="regex", value="a")]
    waiting = [asyncio.create_task(check_patterns(one, ["filters"])) for _ in range(patterns.MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await check_patterns(one, ["filters"])
    go_on.set()
    await asyncio.gather(*waiting)
    await check_patterns(one, ["filters"])
