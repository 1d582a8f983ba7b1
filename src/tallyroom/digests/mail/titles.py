"""What widgets without a title are called, and the names of columns and measures."""

import re
from collections.abc import Callable
from typing import Any

from tallyroom.queries.event_choice import title_of as names_shown
from tallyroom.queries.formula_parts import parts_of
from tallyroom.queries.keys import PROPERTY_PREFIX

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
    return _split(_measure_name(config), config)


def computed_of(config: Any) -> str:
    """Return the expression of a formula, with what is measured in place of the letters."""
    names = {str(name): _measure_name(part) for name, part in parts_of(config).items()}
    terms = {name: f"({text})" if " " in text else text for name, text in names.items()}
    return _split(re.sub("[a-d]", lambda match: terms[match[0]], config.expression.strip()), config)


def column_of(type_: str, config: Any) -> str:
    """Return the head of the column with the values of a breakdown."""
    if type_ == "formula":
        return "Value"
    return {"count": "Events", "uniq_actors": "Actors"}.get(config.measure) or _MEASURES[config.measure]


def _measure_name(of: Any) -> str:
    events = names_shown(of)
    if of.measure == "count":
        return events
    if of.measure == "uniq_actors":
        return f"Actors of {events}"
    return f"{events}: {_MEASURES[of.measure].lower()} of {key_name(of.property or '')}"


def _split(title: str, config: Any) -> str:
    return f"{title}, by {key_name(config.breakdown)}" if config.breakdown else title


def key_name(key: str) -> str:
    """Return a key, or a column of a table, as a person would say it."""
    return _OWN.get(key) or key.removeprefix(PROPERTY_PREFIX)


_NAMES: dict[str, Callable[[Any], str]] = {
    "formula": computed_of,
    "funnel": lambda config: " → ".join(step.event for step in config.steps),
    "heatmap": lambda config: f"{config.event} by the hour of the week",
    "histogram": lambda config: f"{key_name(config.property)} of {config.event}",
    "metric": measured_of,
    "retention": lambda config: f"Retention of {config.cohort_event}",
    "table": lambda config: f"Newest {config.event}" if config.event else "Newest events",
}
