"""Configs in words: the names of keys, columns and measures, for titles and column heads."""

from typing import Any

from tallyroom.queries.event_choice import event_title
from tallyroom.queries.keys import PROPERTY_PREFIX

_NAME_BY_OWN_KEY = {"_actor": "Actor", "_actorLabel": "Actor", "_source": "Source", "_group": "Group", "name": "Event"}
_NAME_BY_OWN_KEY |= {"time": "Time", "event": "Event", "actor": "Actor", "source": "Source"}
NAME_BY_MEASURE = {
    "avg": "Average",
    "max": "Highest",
    "median": "Median",
    "min": "Lowest",
    "p95": "95th percentile",
    "p99": "99th percentile",
    "sum": "Sum",
    "uniq": "Different values",
}


def key_name(key: str) -> str:
    """Return a key or a table column in the words of a person."""
    return _NAME_BY_OWN_KEY.get(key) or key.removeprefix(PROPERTY_PREFIX)


def measure_name(config: Any) -> str:
    """Return what a metric, or a part of a formula, measures."""
    events_title = event_title(config)
    if config.measure == "count":
        return events_title
    if config.measure == "uniq_actors":
        return f"Actors of {events_title}"
    return f"{events_title}: {NAME_BY_MEASURE[config.measure].lower()} of {key_name(config.property or '')}"


def add_breakdown(title: str, breakdown: str | None) -> str:
    """Return a title with the breakdown's key, if there is one."""
    return f"{title}, by {key_name(breakdown)}" if breakdown else title
