"""Table: the newest events, one per row (rules/questions#table)."""

from collections.abc import Collection
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.config import Result
from tallyroom.queries.event_choice import EventsConfig, event_conditions, refuse_event_and_events
from tallyroom.queries.filters import Filters, check_filters, filter_conditions
from tallyroom.queries.keys import PROPERTY_PREFIX
from tallyroom.queries.kind import MASK, Path
from tallyroom.queries.newest_events import (
    EventOut,
    StoredEvent,
    build_event_out,
    distinct_actor_keys,
    query_newest_events,
)
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows
from tallyroom.queries.question import Question
from tallyroom.storage.event_store.labels import LABELS, Label

OWN_COLUMNS = ("time", "event", "actor", "source")

Column = Annotated[str, Meta(min_length=1, max_length=len(PROPERTY_PREFIX) + 65_536)]


class TableConfig(EventsConfig, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Which events (all by default), and which of their fields."""

    columns: Annotated[tuple[Column, ...], Meta(min_length=1, max_length=12)]
    rows: Annotated[int, Meta(ge=1, le=100)] = 25
    filters: Filters = ()


class TableRow(msgspec.Struct, frozen=True):
    """One event, as the columns show it and as a whole; a public page does not get `event`."""

    id: str
    values: dict[str, Any]
    event: EventOut | UnsetType = UNSET


class Table(Result, tag="table", kw_only=True):
    """The newest events, newest first; `rowsWithheld` is true if the public does not get them."""

    columns: list[str]
    rows: list[TableRow]
    rows_withheld: bool | UnsetType = UNSET


def check_config(config: TableConfig, path: Path) -> None:
    """Refuse unknown or repeated columns, and invalid filters."""
    for index, column in enumerate(config.columns):
        column_path = [*path, "columns", index]
        is_property = column.startswith(PROPERTY_PREFIX) and column != PROPERTY_PREFIX
        if column not in OWN_COLUMNS and not is_property:
            raise ValidationFailed.at(column_path, f"is not one of {', '.join(OWN_COLUMNS)} or {PROPERTY_PREFIX}KEY")
        if column in config.columns[:index]:
            raise ValidationFailed.at(column_path, "appears twice")
    refuse_event_and_events(config, path)
    check_filters(config.filters, [*path, "filters"])


def build_query_plan(config: TableConfig, question: Question) -> QueryPlan[Table]:
    """Find the newest events, then the labels of their actors."""

    def build_conditions(parameters: QueryParameters) -> list[str]:
        return [
            *event_conditions(config, parameters),
            *filter_conditions((*config.filters, *question.filters), parameters),
        ]

    events = yield from query_newest_events(
        build_conditions, question.window.from_ms, question.window.until_ms, config.rows
    )
    label_by_actor_key: dict[str, str] = {}
    if actor_keys := distinct_actor_keys(events):
        parameters = QueryParameters()
        parameters.bind_texts("actors", actor_keys)
        label_rows = yield from query_rows(LABELS, parameters, Label)
        label_by_actor_key = {row.actor: row.label for row in label_rows}
    table_rows = [
        TableRow(event.id, _read_values(event, config.columns), build_event_out(event, label_by_actor_key))
        for event in events
    ]
    return Table(columns=list(config.columns), rows=table_rows)


def build_public_result(_config: TableConfig, result: Table, group_keys: Collection[str]) -> Table:
    """Remove events and ids, and mask actors, groups and sources; the ids would reveal how much a server stores."""
    masked_columns = {"actor", "source", *(PROPERTY_PREFIX + key for key in group_keys)}
    table_rows = [
        TableRow(
            str(number),
            {
                column: MASK if column in masked_columns and value is not None else value
                for column, value in row.values.items()
            },
        )
        for number, row in enumerate(result.rows, start=1)
    ]
    return Table(columns=result.columns, rows=table_rows, computed_at=result.computed_at)


def build_withheld_result(config: TableConfig) -> Table:
    """Return the public's answer for a table that does not publish its rows: no rows."""
    return Table(columns=[*config.columns], rows=[], rows_withheld=True)


def is_empty(result: Table) -> bool:
    """Return True if there is no row."""
    return not result.rows


def _read_values(event: StoredEvent, columns: tuple[str, ...]) -> dict[str, Any]:
    answer_event = build_event_out(event, {})
    own_value_by_column = {
        "time": answer_event.timestamp,
        "event": answer_event.name,
        "actor": answer_event.actor_key,
        "source": answer_event.source,
    }
    properties = msgspec.json.decode(event.properties, type=dict[str, msgspec.Raw])
    return {
        column: own_value_by_column[column]
        if column in own_value_by_column
        else properties.get(column.removeprefix(PROPERTY_PREFIX))
        for column in columns
    }
