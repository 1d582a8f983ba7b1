"""Strategies for events: small sets in which everything that could go wrong comes together often."""

from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from harness.builders.moments import ms
from harness.stores.event_store import NOW_MS
from harness.stores.questions import Happened
from harness.suite.examples import tries

T = TypeVar("T")

_CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
CASES = tries(100, suppress_health_check=_CHECKS)
"""What is tried of each property that has a test of `LONG_CASES` too."""
LONG_CASES = settings(max_examples=2000, deadline=None, suppress_health_check=_CHECKS)

FEW, MANY = 12, 2000
"""How many examples `drawn` gives to the default suite, and to the long one."""


def drawn(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    """The same examples in every run, for a test that puts all of them into the store at once.

    An insert costs as much for one event as for thousands, so that most of the time of a test that inserts each example
    by itself goes there. What is lost is that a failing example is made smaller; the test has to show it.
    """
    examples: list[T] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=_CHECKS,
    )
    @given(strategy)
    def draw(example: T) -> None:
        examples.append(example)

    draw()
    return examples


ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kathmandu",  # a quarter of an hour
    "Australia/Lord_Howe",  # summer time of half an hour
    "Pacific/Apia",
    "America/Santiago",  # summer time begins at midnight: that day has no 00:00
]

NAMES = ["a", "b", "c"]
ACTORS = ["", "u1", "u2", "u3", "Ü 4"]
GROUPS: list[Any] = ["g1", "g2", "G1", "", 42, ["g1"], True, None, {"id": "g1"}]
"""Values of a group property; only the first three are groups."""

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS


# Moments that are edges of something: of windows, days, months, summer times.
_EDGES = [
    NOW_MS,
    NOW_MS + 1,
    NOW_MS - 7 * _DAY_MS,
    NOW_MS - 7 * _DAY_MS - 1,
    NOW_MS - 30 * _DAY_MS,
    NOW_MS - 90 * _DAY_MS,
    ms("2026-10-25T00:59:59.999"),  # Berlin goes back to standard time at 01:00
    ms("2026-10-25T01:00"),
    ms("2026-11-01T05:59:59.999"),  # New York at 06:00, and a month begins
    ms("2026-11-01T00:00"),
    ms("2026-10-31T23:59:59.999"),
    ms("2026-10-03T15:30"),  # Lord Howe
    ms("2026-09-06T04:00"),  # Santiago
]

moments = st.one_of(
    st.integers(0, 40).map(lambda minutes: NOW_MS - minutes * 60_000),
    st.integers(0, 14 * 24).map(lambda hours: NOW_MS - hours * _HOUR_MS),
    st.integers(0, 100).map(lambda days: NOW_MS - days * _DAY_MS),
    st.sampled_from(_EDGES),
)
"""Timestamps, many of which are the same."""

numbers = st.one_of(
    st.integers(-20, 20),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.sampled_from([0, 0.5, -0.5, 1e9, 2**53, 2**53 + 1, -(2**64) - 1]),
)

properties = st.fixed_dictionaries(
    {},
    optional={
        "g": st.sampled_from(GROUPS),
        "n": st.one_of(numbers, numbers, st.sampled_from(["12", "", None, [1], True])),
        "plan": st.sampled_from(["free", "pro", "Pro", "", "42", 42, 42.5, True, None, ["pro"], {"a": 1}]),
        "tags": st.lists(st.sampled_from(["x", "y", "X", "", "1", 1, True]), max_size=3),
    },
)


def happened(when: st.SearchStrategy[int] = moments) -> st.SearchStrategy[Happened]:
    """One event."""
    return st.builds(
        Happened,
        name=st.sampled_from(NAMES),
        at_ms=when,
        actor=st.sampled_from(ACTORS),
        properties=properties,
        source=st.sampled_from(["", "web", "bot"]),
        late_ms=st.sampled_from([0, 0, 0, 1, 5000]),
    )


_KEYS = ["g", "n", "plan", "tags", "prop:plan", "absent", "prop:name", "name", "_actor", "_source", "_actorLabel"]
_SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(["free", "pro", "x", "y", "", "g1", "42", "42.0", "1", "true", '{"a":1}', "web", "u1", "Ü 4", "a"]),
    st.sampled_from([True, False, 0, 1, 42, 42.5, -1, 2**53, 2**53 + 1, "9007199254740993.0", -(2**64) - 1]),
    numbers,
)
_PARTS = st.sampled_from(["p", "PRO", "x", "{", "ü", "1", "rue", "u", "no"])
_PATTERNS = st.sampled_from(["^p", "(?i)PRO$", ".", "^$", "1|x", "[0-9]+", "Ü?4", "ü?", "e.?$", r"\{.a", "^(free|g1)$"])


def _filter(op: str, value: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    fixed = {"key": st.sampled_from(_KEYS), "op": st.just(op)}
    return st.fixed_dictionaries(fixed if value is None else fixed | {"value": value})


_single = st.one_of(
    *(_filter(op) for op in ("exists", "not_exists")),
    *(_filter(op, _SCALARS) for op in ("eq", "neq", "has")),
    *(_filter(op, st.lists(_SCALARS, min_size=1, max_size=4)) for op in ("in", "not_in")),
    *(_filter(op, numbers) for op in ("gt", "gte", "lt", "lte")),
    *(_filter(op, _PARTS) for op in ("contains", "starts_with")),
    _filter("regex", _PATTERNS),
)
_alternatives = st.lists(_single, min_size=1, max_size=3).map(lambda each: {"any": each})

filters = st.one_of(_single, _single, _single, _alternatives)
"""One item of a list of filters, as a config holds it."""


def crowds_of(events: st.SearchStrategy[Happened]) -> st.SearchStrategy[list[Happened]]:
    """Sets of events, most of them dense: among few events, what could go wrong seldom meets."""
    dense = st.lists(events, min_size=20, max_size=40)
    return st.one_of(st.lists(events, max_size=3), dense, dense, dense)


crowds = crowds_of(happened())
