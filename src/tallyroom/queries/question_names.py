"""The event names and property keys in a question (rules/questions#notices)."""

from collections.abc import Iterator, Sequence

import msgspec

from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.event_choice import chosen_event_names
from tallyroom.queries.filters import Filter
from tallyroom.queries.keys import GROUP, PROPERTY_PREFIX, is_own_field

_EVENT_FIELDS = ("cohort_event", "return_event")
_PROPERTY_FIELDS = ("key", "property", "breakdown", "holding")


class QuestionNames(msgspec.Struct, frozen=True):
    """The distinct names in a question, in order of appearance."""

    event_names: list[str]
    property_keys: list[str]


def find_question_names(config: msgspec.Struct, filters: Sequence[Filter] = ()) -> QuestionNames:
    """Return the names in a config and in further filters."""
    structs = [*_walk_structs(config), *_walk_structs(filters)]
    event_names = [name for struct in structs for name in _find_event_names(struct)]
    property_keys = [key for struct in structs for key in _find_property_keys(struct)]
    return QuestionNames(list(dict.fromkeys(event_names)), list(dict.fromkeys(property_keys)))


def find_measures(config: msgspec.Struct) -> Iterator[CountedMeasure]:
    """Yield the measures of a config of any kind; a distribution of numbers counts as their sum."""
    for struct in _walk_structs(config):
        if isinstance(struct, CountedMeasure):
            yield struct
        elif hasattr(struct, "property"):
            metric_fields = {name: getattr(struct, name) for name in ("event", "events", "property", "filters")}
            yield CountedMeasure(measure=getattr(struct, "measure", "sum"), **metric_fields)


def _walk_structs(value: object) -> Iterator[msgspec.Struct]:
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _walk_structs(getattr(value, name))
    elif isinstance(value, list | tuple):
        for element in value:
            yield from _walk_structs(element)


def _find_event_names(struct: msgspec.Struct) -> Iterator[str]:
    if hasattr(struct, "event") and hasattr(struct, "events"):
        yield from chosen_event_names(struct) or ()
    for field in _EVENT_FIELDS:
        if isinstance(name := getattr(struct, field, None), str):
            yield name


def _find_property_keys(struct: msgspec.Struct) -> Iterator[str]:
    for field in _PROPERTY_FIELDS:
        key = getattr(struct, field, None)
        is_group = field == "breakdown" and key == GROUP
        if isinstance(key, str) and not is_own_field(key) and not is_group:
            yield key.removeprefix(PROPERTY_PREFIX)
    for column in getattr(struct, "columns", ()):
        if column.startswith(PROPERTY_PREFIX):
            yield column.removeprefix(PROPERTY_PREFIX)
