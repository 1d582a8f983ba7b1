"""One name, one to ten of them, or all, and never two of these."""

from typing import Any

import msgspec
import pytest

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.event_choice import EventChoiceFields, check_event_choice, event_conditions, event_title
from tallyroom.queries.query_parameters import QueryParameters


def chosen(**fields: Any) -> EventChoiceFields:
    return msgspec.convert(fields, EventChoiceFields)


@pytest.mark.parametrize(
    ("fields", "field"),
    [({}, "event"), ({"event": "a", "events": ["b"]}, "events"), ({"event": "a", "events": "all"}, "events")],
)
def test_exactly_one_of_the_two_fields_is_given(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        check_event_choice(chosen(**fields), ["config", "a"])
    assert [each.path for each in refused.value.details] == [["config", "a", field]]


@pytest.mark.parametrize("fields", [{"event": "a"}, {"events": ["a"]}, {"events": ["a"] * 10}, {"events": "all"}])
def test_either_field_will_do(fields: dict[str, Any]) -> None:
    check_event_choice(chosen(**fields), ["config"])


@pytest.mark.parametrize("events", [[], ["a"] * 11, [""], ["a" * 129], "some"])
def test_one_to_ten_names_of_events_are_valid(events: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        chosen(events=events)


@pytest.mark.parametrize(
    ("fields", "conditions", "title"),
    [
        ({"event": "a"}, ["name = {event:String}"], "a"),
        ({"events": ["a"]}, ["name = {event:String}"], "a"),
        ({"events": ["b", "a", "b"]}, ["name IN {events:Array(String)}"], "b, a"),
        ({"events": "all"}, [], "all events"),
    ],
)
def test_the_condition_and_the_title(fields: dict[str, Any], conditions: list[str], title: str) -> None:
    assert event_conditions(chosen(**fields), parameters := QueryParameters()) == conditions
    assert event_title(chosen(**fields)) == title
    assert list(parameters.values.values()) in ([], ["a"], [["b", "a"]])
