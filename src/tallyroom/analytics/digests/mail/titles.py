"""What widgets without a title are called, and the names of columns and measures."""

from collections.abc import Callable
from typing import Any

from tallyroom.engine.keys import PROPERTY_PREFIX

_OWN = {"_actor": "Actor", "_actorLabel": "Actor", "_source": "Source", "_group": "Group", "name": "Event"}
_OWN |= {"time": "Time", "event": "Event", "actor": "Actor", "source": "Source"}
_MEASURES = {
    "avg": "Average",
    "max": "Highest",
    "median": "Median",
    "min": "Lowest",
    "p95": "95th percentile",
    "p99": "99th percentile",
    "sum": "Sum",
    "uniq": "Different values",
}


def title_of(title: str, type_: str, config: Any) -> str:
    """Return the title of a widget, or what it is about."""
    if title.strip():
        return title
    name = _NAMES.get(type_)
    return name(config) if name else ""


def measured_of(config: Any) -> str:
    """Return what a metric measures, in words."""
    if config.measure == "count":
        named = config.event
    elif config.measure == "uniq_actors":
        named = f"Actors of {config.event}"
    else:
        named = f"{config.event}: {_MEASURES[config.measure].lower()} of {key_name(config.property or '')}"
    return f"{named}, by {key_name(config.breakdown)}" if config.breakdown else str(named)


def column_of(measure: str) -> str:
    """Return the head of a column with values of a measure."""
    return {"count": "Events", "uniq_actors": "Actors"}.get(measure) or _MEASURES[measure]


def key_name(key: str) -> str:
    """Return a key, or a column of a table, as a person would say it."""
    return _OWN.get(key) or key.removeprefix(PROPERTY_PREFIX)


_NAMES: dict[str, Callable[[Any], str]] = {
    "funnel": lambda config: " → ".join(step.event for step in config.steps),
    "heatmap": lambda config: f"{config.event} by the hour of the week",
    "histogram": lambda config: f"{key_name(config.property)} of {config.event}",
    "metric": measured_of,
    "retention": lambda config: f"Retention of {config.cohort_event}",
    "table": lambda config: f"Newest {config.event}" if config.event else "Newest events",
}
