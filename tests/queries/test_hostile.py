"""Keys, values and names that break what puts texts together are data like any other (rules/safety#untrusted-text)."""

from collections.abc import Iterable
from itertools import pairwise, product
from typing import Any

import msgspec
import pytest
import re2

from harness.builders.hostile import KEYS, TEXTS, VALUES
from harness.oracles.filters import matches
from harness.stores.event_store import EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from harness.suite.few import few
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.filters import Filter, check_filters, filter_conditions
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.scope import Scope

PARTS = 200  # conditions of one query

BY_KEY = [Happened("by key", properties={key: f"of {place}", "all": key}) for place, key in enumerate(KEYS)]
BY_VALUE = [Happened("by value", properties={"text": value, "list": [value, "z"]}) for value in VALUES]
BY_NAME = [Happened(text, actor=text, label=text, source=text, properties={text: text}) for text in TEXTS]
BY_NUMBER = [Happened("by number", properties={text: place + 0.5}) for place, text in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def scope(event_store: EventStore) -> Scope:
    found = fresh_scope()
    insert(event_store, found, [*BY_KEY, *BY_VALUE, *BY_NAME, *BY_NUMBER])
    return found


class Matched(msgspec.Struct):
    seq: int
    matched: list[bool]


async def assert_alike(store: EventStore, scope: Scope, name: str, filters: Iterable[dict[str, Any]]) -> None:
    """Every filter matches exactly the events of this name that it matches in plain Python."""
    wanted = list(filters)
    events = {each.seq: each for each in [*BY_KEY, *BY_VALUE] if each.name == name}
    for first in range(0, len(wanted), PARTS):
        part, parameters = wanted[first : first + PARTS], QueryParameters()
        read = [msgspec.convert(each, Filter) for each in part]
        check_filters(read, ["filters"])
        sql = f"""
SELECT seq, [{", ".join(f"toBool({each})" for each in filter_conditions(read, parameters))}] AS matched
FROM events WHERE {{scope}} AND name = {parameters.bind_text("event", name)}"""
        rows = await store.reader.fetch_rows(sql, scope, parameters.values, Matched)
        assert len(rows) == len(events)
        for row in rows:
            expected = [matches(each, events[row.seq]) for each in part]
            wrong = [each for each, one, other in zip(part, row.matched, expected, strict=True) if one != other]
            assert not wrong, (events[row.seq], wrong)


async def test_as_keys(event_store: EventStore, scope: Scope) -> None:
    filters = [
        {"key": f"prop:{key}"} | rest
        for place, key in enumerate(KEYS)
        for rest in (
            {"op": "exists"},
            {"op": "not_exists"},
            {"op": "eq", "value": f"of {place}"},
            {"op": "neq", "value": "of 0"},
            {"op": "starts_with", "value": "of"},
        )
    ]
    bare = [{"key": key, "op": "exists"} for key in KEYS if key]
    await assert_alike(event_store, scope, "by key", [*filters, *bare])


@few(3, ("key", "op"), product(["text", "list"], ["eq", "neq", "has", "contains", "starts_with"]))
async def test_as_values(event_store: EventStore, scope: Scope, key: str, op: str) -> None:
    values = VALUES if op in {"eq", "neq", "has"} else [value for value in VALUES if value]
    await assert_alike(event_store, scope, "by value", ({"key": key, "op": op, "value": value} for value in values))


@pytest.mark.long
async def test_as_lists_of_values(event_store: EventStore, scope: Scope) -> None:
    filters = [{"key": "text", "op": op, "value": list(pair)} for pair in pairwise(VALUES) for op in ("in", "not_in")]
    await assert_alike(event_store, scope, "by value", filters)


@pytest.mark.long
async def test_as_patterns(event_store: EventStore, scope: Scope) -> None:
    patterns = [form % re2.escape(text) for text in TEXTS for form in ("^%s$", "(?i)%s", "x?%s")]
    patterns += [text for text in TEXTS if re2_takes(text)]
    await assert_alike(
        event_store, scope, "by value", ({"key": "text", "op": "regex", "value": each} for each in patterns)
    )


def re2_takes(text: str) -> bool:
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(text, options)
    except re2.error:
        return False
    return True


@pytest.mark.long
async def test_as_names_and_own_fields(event_store: EventStore, scope: Scope) -> None:
    for text in TEXTS:
        filters = [
            {"key": key, "op": "eq", "value": text}
            for key in ("name", "_actor", "_actorLabel", "_source", f"prop:{text}")
        ]
        config = {"event": text, "measure": "count", "compare": False, "filters": filters}
        assert (await ask(event_store, scope, METRIC, config, question()))["value"] == 1


async def test_as_labels_of_a_breakdown(event_store: EventStore, scope: Scope) -> None:
    config = {"event": "by key", "measure": "count", "breakdown": "all", "overTime": True, "limit": 50}
    answer = await ask(event_store, scope, METRIC, config, question())
    assert [each["label"] for each in answer["series"]] == sorted(KEYS, key=str.encode)[:50]


@pytest.mark.long
async def test_as_keys_of_what_is_measured(event_store: EventStore, scope: Scope) -> None:
    for place, text in enumerate(TEXTS):
        key = f"prop:{text}"
        config = {"event": "by number", "measure": "sum", "property": key, "compare": False}
        assert (await ask(event_store, scope, METRIC, config, question()))["value"] == place + 0.5
    distinct = {"event": "by value", "measure": "uniq", "property": "text"}
    assert (await ask(event_store, scope, METRIC, distinct, question()))["value"] == len(set(VALUES))
