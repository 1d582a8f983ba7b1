"""A query plan: the queries behind an answer, and how their rows become that answer. It does no I/O and never waits.

A kind's query plan is a generator. It yields one `Query` at a time, is sent its rows, and returns the result. An
External widget's plan yields one `FetchRequest` and is sent its outcome. During long work on rows, a plan yields None.
A test can run it on rows written by hand.
"""

from collections.abc import Generator, Sized
from textwrap import indent
from typing import Any, Generic, Literal, TypeVar

import msgspec

from tallyroom.queries.cells import SlicedRows
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.slices import SlicedQuery
from tallyroom.queries.state_queries import StateCounts, StateQuery
from tallyroom.queries.unit_queries import UnitQuery, UnitTotals
from tallyroom.queries.values import Value
from tallyroom.queries.window_queries import WindowNumbers, WindowQuery
from tallyroom.storage.event_store.backend.backend import MAY_SPILL
from tallyroom.storage.event_store.property_columns.catalog import Span

Row = TypeVar("Row", bound=msgspec.Struct)
Answer = TypeVar("Answer")


class Query(msgspec.Struct, Generic[Row], frozen=True):
    """One SELECT with the placeholder ``{scope}``, its parameters, the struct of its rows, and what time it reads.

    `edge_names` and `origin_names` are those of `QueryParameters`. With `sliced_query`, `window_query`,
    `unit_query` or `state_query`, the plan may be sent the `SlicedRows`, `WindowNumbers`, `UnitTotals` or `StateCounts`
    of that query instead of rows.
    """

    sql: str
    parameters: dict[str, Any]
    row_type: type[Row]
    span: Span | None = None
    edge_names: frozenset[str] = frozenset()
    origin_names: frozenset[str] = frozenset()
    sliced_query: SlicedQuery | None = None
    window_query: WindowQuery | None = None
    unit_query: UnitQuery | None = None
    state_query: StateQuery | None = None

    def bind(self, parameters: dict[str, Any]) -> "Query[Row]":
        """Return the query with more parameters, which its other forms have as well."""
        if not parameters:
            return self
        return msgspec.structs.replace(
            self,
            parameters=self.parameters | parameters,
            sliced_query=self.sliced_query and self.sliced_query.bind(parameters),
            window_query=self.window_query and self.window_query.bind(parameters),
            unit_query=self.unit_query and self.unit_query.bind(parameters),
            state_query=self.state_query and self.state_query.bind(parameters),
        )


class FetchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A value at `value_path` to fetch from `url`, which is on the host of a source of the asking workspace."""

    source_id: str
    url: str
    value_path: str
    value_type: Literal["number", "text"]


class FetchOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The last fetched value and its time, None if there is none; `error` says why there is no new one, for members."""

    value: Value | str = None
    fetched_at_ms: int | None = None
    error: str | None = None


QueryPlan = Generator[Query[Any] | FetchRequest | None, Any, Answer]

UNION_ALL = "\nUNION ALL\n"

_LONG_LIST_LENGTH = 250  # takes about a tenth of a millisecond


def scoped_where(*conditions: str) -> str:
    """Return the WHERE clause of a read of events: the scope, which must come first, and then all `conditions`."""
    return "\n  AND ".join(["WHERE {scope}", *conditions])


def to_subquery(sql: str) -> str:
    """Return a SELECT as a subquery."""
    return f"(\n{indent(sql.strip(), '  ')}\n)"


def pause_after(entries: Sized) -> QueryPlan[None]:
    """Let other tasks run if there are many entries; query plans call it between long lists."""
    if len(entries) >= _LONG_LIST_LENGTH:
        yield None


def query_rows(sql: str, parameters: QueryParameters, row_type: type[Row]) -> QueryPlan[list[Row]]:
    """Run one query against the event store and return its rows; query plans call it with ``yield from``."""
    answer_rows: list[Row] = yield _build_query(sql, parameters, row_type, None)
    return answer_rows


def query_many_groups(sql: str, parameters: QueryParameters, row_type: type[Row]) -> QueryPlan[list[Row]]:
    """Run one query as `query_rows` does, whose groups may be so many that they need the disk."""
    answer_rows: list[Row] = yield _build_query(sql, parameters, row_type, None).bind({MAY_SPILL: True})
    return answer_rows


def query_rows_or_slices(
    sql: str, parameters: QueryParameters, row_type: type[Row], sliced_query: SlicedQuery | None
) -> QueryPlan[list[Row] | SlicedRows]:
    """Run one query as `query_rows` does, or the same question in slices of which some may be known already."""
    answer_rows: list[Row] | SlicedRows = yield _build_query(sql, parameters, row_type, sliced_query)
    return answer_rows


def query_rows_or_forms(
    sql: str,
    parameters: QueryParameters,
    row_type: type[Row],
    sliced_query: SlicedQuery | None,
    window_query: WindowQuery | None,
) -> QueryPlan[list[Row] | SlicedRows | WindowNumbers]:
    """Run one query as `query_rows` does, or the same question in another form of which some may be known already."""
    query = _build_query(sql, parameters, row_type, sliced_query)
    answer_rows: list[Row] | SlicedRows | WindowNumbers = yield msgspec.structs.replace(
        query, window_query=window_query
    )
    return answer_rows


def query_rows_or_totals(
    sql: str, parameters: QueryParameters, row_type: type[Row], unit_query: UnitQuery | None
) -> QueryPlan[list[Row] | UnitTotals]:
    """Run one query as `query_rows` does, or sum up over units of which most may be known already."""
    query = _build_query(sql, parameters, row_type, None)
    answer_rows: list[Row] | UnitTotals = yield msgspec.structs.replace(query, unit_query=unit_query)
    return answer_rows


def query_rows_or_states(
    sql: str, parameters: QueryParameters, row_type: type[Row], state_query: StateQuery
) -> QueryPlan[list[Row] | StateCounts]:
    """Run one query as `query_rows` does, or count units by state, where most states may be known already."""
    query = _build_query(sql, parameters, row_type, None)
    answer_rows: list[Row] | StateCounts = yield msgspec.structs.replace(query, state_query=state_query)
    return answer_rows


def _build_query(
    sql: str, parameters: QueryParameters, row_type: type[Row], sliced_query: SlicedQuery | None
) -> Query[Row]:
    return Query(
        sql.strip(),
        parameters.values,
        row_type,
        parameters.span,
        parameters.edge_names,
        parameters.origin_names,
        sliced_query,
    )
