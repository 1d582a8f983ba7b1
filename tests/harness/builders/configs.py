"""Random configs of every kind of widget, as a client would write them."""

from collections.abc import Callable
from random import Random
from typing import Any

Config = dict[str, Any]

NAMES = ["a", "b", "c"]
KEYS = ["g", "plan", "tags", "n", "prop:plan", "_actor", "_source", "name", "_actorLabel"]
VALUES = ["free", "pro", "g1", "x", "u1", "web", "a", "42", 42, 0.5, True, ""]


def random_config(random: Random) -> tuple[str, Config]:
    """A kind and a config that it takes."""
    kind = random.choice(sorted(_MAKERS))
    return kind, _MAKERS[kind](random)


def _filter(random: Random) -> Config:
    key = random.choice(KEYS)
    op = random.choice(["eq", "neq", "contains", "has", "gt", "lte", "in", "not_in", "exists", "not_exists", "regex"])
    if op in {"exists", "not_exists"}:
        return {"key": key, "op": op}
    if op in {"in", "not_in"}:
        return {"key": key, "op": op, "value": random.sample(VALUES, 3)}
    if op in {"gt", "lte"}:
        return {"key": key, "op": op, "value": random.randint(-5, 50)}
    if op in {"contains", "regex"}:
        return {"key": key, "op": op, "value": random.choice(["r", "p", "1", "u", "e"])}
    return {"key": key, "op": op, "value": random.choice(VALUES)}


def _filters(random: Random) -> list[Config]:
    return [_filter(random) for _ in range(random.choice([0, 0, 1, 2]))]


def _measured(random: Random) -> Config:
    measure = random.choice(["count", "sum", "avg", "min", "max", "uniq", "uniq_actors", "median", "p95", "p99"])
    config = {"event": random.choice(NAMES), "measure": measure, "filters": _filters(random)}
    return config if measure in {"count", "uniq_actors"} else config | {"property": "n"}


def _metric(random: Random) -> Config:
    config = _measured(random) | {"overTime": random.random() < 0.5}
    return config | ({"breakdown": random.choice(KEYS)} if random.random() < 0.5 else {})


def _formula(random: Random) -> Config:
    names = random.choice(["a", "ab", "abc", "abcd"])
    config: Config = {name: _measured(random) for name in names}
    config["expression"] = random.choice([" + ", " - 2 * ", " / "]).join(names)
    config["overTime"] = random.random() < 0.5
    return config | ({"breakdown": random.choice(KEYS)} if random.random() < 0.5 else {})


def _kpi(random: Random) -> Config:
    return {"items": [_measured(random) for _ in range(random.randint(1, 3))]}


def _table(random: Random) -> Config:
    columns = ["time", "event", "actor", "source", "prop:plan", "prop:g"]
    config = {"columns": random.sample(columns, random.randint(1, 6)), "filters": _filters(random)}
    return config | ({"event": random.choice(NAMES)} if random.random() < 0.5 else {})


def _funnel(random: Random) -> Config:
    steps = [{"event": random.choice(NAMES), "filters": _filters(random)} for _ in range(random.randint(2, 4))]
    return {
        "steps": steps,
        "windowHours": random.choice([1, 24, 720]),
        "windowFrom": random.choice(["previous", "first"]),
        "count": random.choice(["actor", "group"]),
    }


def _retention(random: Random) -> Config:
    return {
        "cohortEvent": random.choice(NAMES),
        "returnEvent": random.choice(NAMES),
        "granularity": random.choice(["day", "week", "month"]),
        "periods": random.randint(2, 12),
        "count": random.choice(["actor", "group"]),
        "cohortFilters": _filters(random),
    }


def _histogram(random: Random) -> Config:
    return {"event": random.choice(NAMES), "property": "n", "buckets": random.randint(2, 50)}


def _heatmap(random: Random) -> Config:
    return {"event": random.choice(NAMES), "filters": _filters(random)}


_MAKERS: dict[str, Callable[[Random], Config]] = {
    "formula": _formula,
    "funnel": _funnel,
    "heatmap": _heatmap,
    "histogram": _histogram,
    "kpi": _kpi,
    "metric": _metric,
    "note": lambda _: {"text": "a note"},
    "retention": _retention,
    "table": _table,
}

KINDS = frozenset(_MAKERS)
