"""The answer of a funnel in plain Python, by looking at every chain of events that each unit has: the oracle of
dashboards/kinds/funnel, written from rules/questions#funnel.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import median
from typing import Any

from harness.oracles.filters import exact_numbers_of, matching, texts_of
from harness.stores.event_store import NOW_MS
from harness.stores.questions import Happened

HOUR_MS = 3_600_000

Chain = tuple[Happened, ...]
Config = Mapping[str, Any]
Arrival = tuple[tuple[int, int, int], int]
"""Where the event that reached a step stands in the order of events, and how long it took from the step before."""


def expected_funnel(events: Sequence[Happened], config: Config, until_ms: int = NOW_MS) -> dict[str, Any]:
    """The whole answer as a client reads it, to a question whose time range ends at a moment."""
    units = list(_units(events, config).values())
    answer: dict[str, Any] = {
        "kind": "funnel",
        "count": config["count"],
        "steps": _steps(units, config, lambda _: True, until_ms),
    }
    if key := config.get("breakdown"):
        labels = {label for each in events for label in texts_of(key, each)}
        series: list[dict[str, Any]] = [
            {"label": label, "steps": _steps(units, config, _has(key, label), until_ms)} for label in labels
        ]
        begun = [each for each in series if each["steps"][0]["count"]]
        answer["series"] = sorted(begun, key=lambda each: (-each["steps"][0]["count"], each["label"]))[:10]
    return answer


def _has(key: str, label: str) -> Callable[[Happened], bool]:
    return lambda event: label in texts_of(key, event)


def _units(events: Sequence[Happened], config: Config) -> dict[str, list[Happened]]:
    units = defaultdict(list)
    for each in events:
        unit = each.actor if config["count"] == "actor" else each.properties.get("g")
        if unit and isinstance(unit, str):
            units[unit].append(each)
    return units


def _steps(
    units: list[list[Happened]], config: Config, starts: Callable[[Happened], bool], until_ms: int
) -> list[dict[str, Any]]:
    reached = [_arrivals(unit, config, starts) for unit in units]
    waiting = [_has_time(unit, config, starts, until_ms) for unit in units]
    steps: list[dict[str, Any]] = []
    for at_step, step in enumerate(config["steps"]):
        took = [arrivals[at_step][1] for arrivals in reached if len(arrivals) > at_step]
        before = steps[-1]["count"] if steps else 0
        first = steps[0]["count"] if steps else len(took)
        found = {
            "event": step["event"],
            "count": len(took),
            "rate": len(took) / first if first else 0,
            "stepRate": (len(took) / before if before else 0) if at_step else 1,
            "waiting": sum(
                has_time and len(arrivals) == at_step + 1 < len(config["steps"])
                for arrivals, has_time in zip(reached, waiting, strict=True)
            ),
            "medianSecondsFromPrevious": median(took) / 1000 if at_step and took else None,
        }
        if config.get("times") and at_step:
            found["times"] = _times(took)
        steps.append(found)
    return steps


def _times(took: list[int]) -> list[dict[str, Any]]:
    """How many times are in each of 20 buckets, compared as fractions."""
    if len(set(took)) < 2:
        return [{"from": each / 1000, "to": each / 1000, "count": len(took)} for each in set(took)]
    least, greatest = min(took), max(took)
    edges: list[Any] = [least + Fraction(greatest - least, 20) * bucket for bucket in range(21)]
    edges_after = [*edges[1:-1], Fraction(greatest + 1)]
    return [
        {"from": float(start / 1000), "to": float(end / 1000), "count": sum(start <= each < after for each in took)}
        for (start, end), after in zip(pairwise(edges), edges_after, strict=True)
    ]


def _arrivals(unit: list[Happened], config: Config, starts: Callable[[Happened], bool]) -> list[Arrival]:
    """The first arrival of one unit at each step that it reached, whatever the value that its chain holds."""
    first: dict[int, Arrival] = {}
    for holding, spoiling in _worlds(unit, config):
        for at_step, chains in enumerate(_chains_by_length(holding, spoiling, config, starts)):
            if chains:
                first[at_step] = min([_arrival(chains), *([first[at_step]] if at_step in first else [])])
    return [first[at_step] for at_step in sorted(first)]


def _has_time(unit: list[Happened], config: Config, starts: Callable[[Happened], bool], until_ms: int) -> bool:
    """Whether a later event could make one of the longest chains longer."""
    chains_by_length = [
        (at_step, chain, spoiling)
        for holding, spoiling in _worlds(unit, config)
        for at_step, chains in enumerate(_chains_by_length(holding, spoiling, config, starts))
        for chain in chains
    ]
    longest = max((at_step for at_step, _, _ in chains_by_length), default=0)
    return any(
        chain[-1 if config["windowFrom"] == "previous" else 0].at_ms + config["windowHours"] * HOUR_MS > until_ms
        and (config.get("holding") or not _is_cut_off(chain, spoiling, config))
        for at_step, chain, spoiling in chains_by_length
        if at_step == longest
    )


def _is_cut_off(chain: Chain, spoiling: list[Happened], config: Config) -> bool:
    """Whether an excluded event has come that any longer chain would have between two steps."""
    return any(
        chain[earlier - 1].order < event.order
        for exclusion in config.get("exclude", ())
        for earlier, later in [exclusion["between"]]
        if later == len(chain) + 1
        for event in _named(spoiling, exclusion)
    )


def _worlds(unit: list[Happened], config: Config) -> Iterator[tuple[list[Happened], list[Happened]]]:
    """For each held value, the events that a chain may consist of and those that may spoil it."""
    key = config.get("holding")
    if key is None:
        yield unit, unit
        return
    held = [(each, values_of(key, each)) for each in unit]
    for value in sorted({value for _, values in held for value in values}):
        having = [each for each, values in held if value in values]
        yield having, having + [each for each, values in held if not values]


def values_of(key: str, event: Happened) -> set[tuple[str, Any]]:
    """The values of a key that `uniq` tells apart: a list has those of its elements, as texts."""
    sent = event.properties.get(key)
    kind = "other" if isinstance(sent, bool | dict) else "text"
    return {(kind, text) for text in texts_of(key, event)} | {("number", each) for each in exact_numbers_of(key, event)}


def _chains_by_length(
    events: list[Happened], spoiling: list[Happened], config: Config, starts: Callable[[Happened], bool]
) -> list[list[Chain]]:
    """All chains of one step, of two steps, and so on."""
    excluded = [(each["between"], _named(spoiling, each)) for each in config.get("exclude", ())]
    found: list[list[Chain]] = [[()]]
    for at_step, step in enumerate(config["steps"]):
        ends = [each for each in _named(events, step) if at_step or starts(each)]
        longer = [(*chain, each) for chain in found[-1] for each in ends]
        found.append([chain for chain in longer if _holds(chain, config) and not _is_spoiled(chain, excluded)])
    return found[1:]


def _named(events: list[Happened], step: Config) -> list[Happened]:
    return matching([each for each in events if each.name == step["event"]], step.get("filters", []))


def _holds(chain: Chain, config: Config) -> bool:
    window_ms = config["windowHours"] * HOUR_MS
    in_order = all(one.order < other.order for one, other in pairwise(chain))
    if config["windowFrom"] == "first":
        return in_order and chain[-1].at_ms - chain[0].at_ms <= window_ms
    return in_order and all(other.at_ms - one.at_ms <= window_ms for one, other in pairwise(chain))


def _is_spoiled(chain: Chain, excluded: list[tuple[list[int], list[Happened]]]) -> bool:
    """Whether an excluded event lies between the events of two steps."""
    return any(
        chain[earlier - 1].order < each.order < chain[later - 1].order
        for (earlier, later), events in excluded
        if later <= len(chain)
        for each in events
    )


def _arrival(chains: list[Chain]) -> Arrival:
    """Where the first arrival of chains of one length is, and how long it is since the latest step before."""
    arrival = min((chain[-1] for chain in chains), key=lambda each: each.order)
    before = max(([*chain[-2:]] for chain in chains if chain[-1] is arrival), key=lambda each: each[0].order)
    return arrival.order, arrival.at_ms - before[0].at_ms
