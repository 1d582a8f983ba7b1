"""Configs in words: the names of keys, columns and measures, for titles and column heads; and widgets by name."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from tallyroom.queries.event_choice import event_title
from tallyroom.queries.keys import PROPERTY_PREFIX
from tallyroom.queries.measures import NAME_BY_MEASURE

_NAME_BY_OWN_KEY = {"_actor": "Actor", "_actorLabel": "Actor", "_source": "Source", "_group": "Group", "name": "Event"}
_NAME_BY_OWN_KEY |= {"time": "Time", "event": "Event", "actor": "Actor", "source": "Source"}
_MAX_NAMES = 5


class WidgetName(NamedTuple):
    """A widget by its title, or by its id if it has no title."""

    title: str
    widget_id: str

    def __str__(self) -> str:
        return f'"{self.title}"' if self.title else self.widget_id


def join_names(names: Iterable[str]) -> str:
    """Return the first five names, and how many more there are."""
    all_names = list(names)
    more_count = len(all_names) - _MAX_NAMES
    return ", ".join(all_names[:_MAX_NAMES]) + (f" and {more_count} more" if more_count > 0 else "")


def key_name(key: str) -> str:
    """Return a key or a table column in the words of a person."""
    return _NAME_BY_OWN_KEY.get(key) or key.removeprefix(PROPERTY_PREFIX)


def measure_name(config: Any) -> str:
    """Return what a metric, or a part of a formula, measures."""
    events_title = event_title(config)
    if config.measure == "count":
        return events_title
    if config.measure == "uniq_actors":
        return f"{NAME_BY_MEASURE[config.measure]} of {events_title}"
    return f"{events_title}: {NAME_BY_MEASURE[config.measure].lower()} of {key_name(config.property or '')}"


def add_breakdown(title: str, breakdown: str | None) -> str:
    """Return a title with the breakdown's key, if there is one."""
    return f"{title}, by {key_name(breakdown)}" if breakdown else title
