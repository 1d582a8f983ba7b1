"""The events of a question, by name (rules/questions#events)."""

from collections.abc import Sequence
from typing import Annotated, Literal, Protocol

import msgspec
from msgspec import Meta

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.config import EventName, SegmentedConfig
from tallyroom.queries.query_parameters import QueryParameters

MAX_CHOSEN_EVENTS = 10

SeveralEvents = Annotated[tuple[EventName, ...], Meta(min_length=1, max_length=MAX_CHOSEN_EVENTS)]
ChosenEvents = SeveralEvents | Literal["all"]


class EventChoice(Protocol):
    """Anything with a choice of events: one name, several, or all."""

    @property
    def event(self) -> str | None:
        """The only name."""

    @property
    def events(self) -> tuple[str, ...] | Literal["all"] | None:
        """Several names, or all."""


class EventChoiceFields(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel", omit_defaults=True
):
    """A part of a config that is about some events: `event` names one, `events` several or all."""

    event: EventName | None = None
    events: ChosenEvents | None = None


class EventsConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A config that is about some events as a whole: `event` names one, `events` several or all."""

    event: EventName | None = None
    events: ChosenEvents | None = None


def check_event_choice(choice: EventChoice, path: Sequence[str | int]) -> None:
    """Raise `ValidationFailed`, with a field under `path`, unless there is exactly one choice of events."""
    if choice.event is None and choice.events is None:
        raise ValidationFailed.at([*path, "event"], "is required unless events is given")
    refuse_event_and_events(choice, path)


def refuse_event_and_events(choice: EventChoice, path: Sequence[str | int]) -> None:
    """Raise `ValidationFailed`, with a field under `path`, if both `event` and `events` are set."""
    if choice.event is not None and choice.events is not None:
        raise ValidationFailed.at([*path, "events"], "is not valid with event")


def chosen_event_names(choice: EventChoice) -> tuple[str, ...] | None:
    """Return the distinct chosen names; None if all events are chosen."""
    if choice.event is not None:
        return (choice.event,)
    return None if choice.events in {None, "all"} else tuple(dict.fromkeys(choice.events or ()))


def event_conditions(choice: EventChoice, parameters: QueryParameters, placeholder_word: str = "event") -> list[str]:
    """Return a list with the SQL condition for the chosen names, or an empty list if all events are chosen."""
    event_names = chosen_event_names(choice)
    if event_names is None:
        return []
    if len(event_names) == 1:
        return [f"name = {parameters.bind_text(placeholder_word, event_names[0])}"]
    return [f"name IN {parameters.bind_texts(f'{placeholder_word}s', list(event_names))}"]


def event_title(choice: EventChoice) -> str:
    """Return the names as a heading."""
    return ", ".join(chosen_event_names(choice) or ["all events"])
