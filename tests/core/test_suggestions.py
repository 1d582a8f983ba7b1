"""A slip is told what it may have meant, and no slip costs much."""

import difflib
from typing import Any

import pytest

from tallyroom.core import suggestions as module
from tallyroom.core.suggestions import did_you_mean, find_nearest, must_be_one_of

FILTER = ["key", "op", "value"]
MEASURES = ["count", "sum", "avg", "min", "max", "uniq", "uniq_actors", "median", "p95", "p99"]
EVENT = ["name", "properties", "_actor", "_actorLabel", "_source", "_timestamp"]


@pytest.mark.parametrize(
    ("given", "known", "found"),
    [
        ("property", FILTER, "key"),
        ("field", FILTER, "key"),
        ("operator", FILTER, "op"),
        ("values", FILTER, "value"),
        ("Key", FILTER, "key"),
        ("property", ["property", "key"], "property"),
        ("timerange", ["timeRange", "limit"], "timeRange"),
        ("time_range", ["timeRange", "limit"], "timeRange"),
        ("period", ["timeRange", "limit"], "timeRange"),
        ("environments", ["environment", "limit"], "environment"),
        ("timestamp", EVENT, "_timestamp"),
        ("user_id", EVENT, "_actor"),
        ("event", EVENT, "name"),
        ("guild_count", ["server_count", "shard_count"], "server_count"),
        ("average", MEASURES, "avg"),
        ("summ", MEASURES, "sum"),
        ("equals", ["eq", "neq"], "eq"),
        ("color", ["data_points", "colors"], "colors"),
        ("window", ["steps", "windowHours", "windowFrom", "count"], "windowHours"),
        ("text", ["label", "timestamp", "color"], "label"),
        ("username", ["email", "password"], "email"),
        ("entirely", FILTER, None),
        ("", FILTER, None),
        ("property", [], None),
        ("k" * 1_000_000, ["k" * 1_000_000], None),
    ],
)
def test_what_may_have_been_meant(given: str, known: list[str], found: str | None) -> None:
    assert find_nearest(given, known) == found
    assert did_you_mean(given, known) == (f"; did you mean {found}?" if found else "")


def test_a_choice_is_told_with_the_nearest() -> None:
    assert must_be_one_of(["asc", "desc"], "ASC") == "must be one of asc, desc, not 'ASC'; did you mean asc?"
    assert must_be_one_of(["asc", "desc"], "x" * 60) == f"must be one of asc, desc, not '{'x' * 60}'"
    assert must_be_one_of(["asc", "desc"], "x" * 61) == f"must be one of asc, desc, not '{'x' * 60}…'"
    assert must_be_one_of(["asc", "desc"], "x" * 100_000) == f"must be one of asc, desc, not '{'x' * 60}…'"


def test_a_name_of_40_characters_may_be_a_slip_and_a_longer_one_is_none() -> None:
    assert find_nearest("x" * 40, ["x" * 39]) == "x" * 39
    assert find_nearest("x" * 41, ["x" * 39]) is None


def test_a_long_name_is_compared_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def counting(word: str, *rest: Any) -> list[str]:
        compared.append(word)
        return difflib.get_close_matches(word, *rest)

    monkeypatch.setattr(module, "get_close_matches", counting)
    find_nearest("x" * 100_000, FILTER)
    assert compared == []
    find_nearest("x" * 40, FILTER)
    assert compared == ["x" * 40]
