"""A measure of some events, and its SQL conditions (rules/questions#measures)."""

from collections.abc import Sequence

import msgspec

from tallyroom.queries.event_choice import EventChoiceFields, check_event_choice, chosen_event_names, event_conditions
from tallyroom.queries.filters import Filters, check_filters, filter_conditions
from tallyroom.queries.keys import Key
from tallyroom.queries.measures import Measure, MeasureSql, build_measure, check_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.question import Question


class CountedMeasure(EventChoiceFields, frozen=True, kw_only=True, rename="camel"):
    """A measure of some events."""

    measure: Measure
    property: Key | None = None
    filters: Filters = ()


def check_counted_measure(metric: CountedMeasure, path: Sequence[str | int]) -> None:
    """Raise `ValidationFailed`, with fields under `path`, for an unsuitable property or filter value."""
    check_event_choice(metric, path)
    check_measure(metric.measure, metric.property, path)
    check_filters(metric.filters, [*path, "filters"])


def metric_conditions(metric: CountedMeasure, question: Question, parameters: QueryParameters) -> list[str]:
    """Return SQL conditions for the events of `metric`, at any time."""
    return [*event_conditions(metric, parameters), *filter_conditions((*metric.filters, *question.filters), parameters)]


def build_measures(metrics: Sequence[CountedMeasure], parameters: QueryParameters) -> list[MeasureSql]:
    """Return what each of `metrics` measures."""
    return [build_measure(metric.measure, metric.property, parameters) for metric in metrics]


def group_by_events(metrics: Sequence[CountedMeasure]) -> list[list[int]]:
    """Return the indices of the metrics of the same events, which one pass over these can measure."""
    indices_by_events: dict[bytes, list[int]] = {}
    for index, metric in enumerate(metrics):
        events_key = msgspec.json.encode([chosen_event_names(metric), metric.filters])
        indices_by_events.setdefault(events_key, []).append(index)
    return list(indices_by_events.values())
