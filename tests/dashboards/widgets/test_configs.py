"""A widget's type and config: read by its kind, and kept without spaces and defaults."""

from typing import Any

import msgspec
import pytest
import re2

from tallyroom.core.errors import ValidationFailed
from tallyroom.dashboards.kinds.heatmap.kind import HEATMAP
from tallyroom.dashboards.registry import KINDS
from tallyroom.dashboards.widgets.configs import (
    MAX_STORED_BYTES,
    encode_to_store,
    find_kind,
    read_sent_config,
    read_stored_config,
)
from tallyroom.queries.filters import Filter
from tallyroom.queries.query_plan import Query
from tallyroom.queries.question import Question
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.regex_cost import count_steps


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_kind_is_found_by_its_name(name: str) -> None:
    assert find_kind(name) is KINDS[name]


@pytest.mark.parametrize("name", ["", "External", "Heatmap", "heatmap "])
def test_no_other_type_is_taken(name: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        find_kind(name)
    assert refused.value.details[0].path == ["type"]


async def test_what_is_stored_and_what_is_sent_are_read_alike() -> None:
    sent = await read_sent_config(HEATMAP, {"event": "x", "filters": [], "timezone": None})
    assert read_stored_config(HEATMAP, '{ "event": "x", "filters": [], "timezone": null }') == sent
    assert encode_to_store(sent, ["config"]) == '{"event":"x"}'


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        ({}, ["config", "event"]),
        ({"event": ""}, ["config", "event"]),
        ({"event": "x", "nonsense": 1}, ["config", "nonsense"]),
        ({"event": "x", "timezone": "Mars"}, ["config", "timezone"]),
        ({"event": "x", "filters": [{"key": "a", "op": "gt", "value": "b"}]}, ["config", "filters", 0, "value"]),
    ],
)
async def test_a_refusal_names_the_field_within_the_request(sent: dict[str, object], path: list[str | int]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await read_sent_config(HEATMAP, sent)
    assert refused.value.details[0].path == path


def test_what_is_stored_has_a_limit() -> None:
    most = "x" * (MAX_STORED_BYTES - 2)  # and two quotes
    assert encode_to_store(most, ["config"]) == f'"{most}"'
    with pytest.raises(ValidationFailed) as refused:
        encode_to_store(f"{most}x", ["config"])
    assert refused.value.details[0].path == ["config"]


async def test_a_sent_config_is_refused_for_what_is_no_pattern() -> None:
    with pytest.raises(ValidationFailed) as refused:
        await read_sent_config(HEATMAP, {"event": "x", "filters": [{"key": "a", "op": "regex", "value": "("}]})
    assert refused.value.details[0].path == ["config", "filters", 0, "value"]


async def test_nothing_is_checked_or_compiled_for_what_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A published dashboard is asked by anybody: its filters and their patterns were checked when they were saved."""
    count_steps.cache_clear()
    filters = [{"key": "a", "op": "regex", "value": r"\\pL+"}]
    text = encode_to_store(await read_sent_config(HEATMAP, {"event": "x", "filters": filters}), ["config"])
    monkeypatch.setattr(re2, "compile", lambda *_: pytest.fail("a stored pattern is compiled"))
    unchecked = msgspec.structs.replace(HEATMAP, check_config=lambda *_: pytest.fail("a stored config is checked"))
    count_steps.cache_clear()
    config: Any = read_stored_config(unchecked, text)
    segment = (Filter(key="b", op="regex", value=r"\\pN+"),)
    question = Question(window=Window(0, 0), now_ms=0, filters=segment)
    query = next(HEATMAP.build_query_plan(config, question))
    assert isinstance(query, Query)
    assert r"\\pL+" in query.parameters.values()
