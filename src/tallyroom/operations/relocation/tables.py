"""The tables of the event store in a move: what is read, what is inserted, and what must be equal in the end."""

from typing import NamedTuple

from tallyroom.storage.event_store.tables import (
    ACTOR_LABELS,
    BOT_COUNTERS,
    BOT_COUNTERS_DAILY,
    BOT_VOTES,
    EVENT_COLUMNS,
    EVENTS,
    HIDDEN_EVENTS,
    LISTING_COLUMNS,
)

_TIME_MS_EXPRESSION = "toUnixTimestamp64Milli(time)"
_MANY_DIGITS = "[0-9]{19}"


class MovedTable(NamedTuple):
    """One table; the table computes the stored `columns` from the `input_columns`."""

    name: str
    columns: tuple[str, ...]
    input_columns: tuple[str, ...]
    read_expressions: tuple[str, ...]  # one for each input column
    key_columns: str  # divide a unit into blocks of about the same size
    unit_expression: str = "toDate(0)"  # the day that is divided, if a partition is too large to read for each block
    size_expression: str = "100"  # the approximate bytes of a row
    merges_equal_keys: bool = True  # whether rows with equal keys are eventually merged
    spool_column: str = "0"  # "0" if there is none
    row_condition: str = "1"  # for the rows to move

    @property
    def from_clause(self) -> str:
        """The FROM clause for the rows to move."""
        return f"{self.name} FINAL" if self.merges_equal_keys else self.name

    @property
    def row_digest(self) -> str:
        """The expression for the hash of a row."""
        return f"sipHash64({', '.join(self.columns)})"


def _build_plain_table(name: str, *columns: str, key_columns: str, merges_equal_keys: bool = True) -> MovedTable:
    return MovedTable(name, columns, columns, columns, key_columns, merges_equal_keys=merges_equal_keys)


_EVENTS = MovedTable(
    EVENTS,
    columns=(
        *("workspace_id", "environment", "timestamp", "received_at", "spool", "seq", "name", "actor", "actor_label"),
        *("source", "properties", "strings", "texts", "numbers", "lists"),
    ),
    input_columns=EVENT_COLUMNS,
    read_expressions=(
        *("workspace_id", "environment", "toUnixTimestamp64Milli(timestamp)", "toUnixTimestamp64Milli(received_at)"),
        *("spool", "seq", "name", "actor", "actor_label", "source", "properties"),
        f"if(match(properties, '{_MANY_DIGITS}'), properties, '')",  # it may need a stand-in, which is not stored
    ),
    key_columns="spool, seq",
    unit_expression="toDate(timestamp)",
    size_expression="200 + length(properties)",
    merges_equal_keys=False,
    spool_column="spool",
)
_COUNTERS = MovedTable(
    BOT_COUNTERS,
    columns=("workspace_id", "bot_id", "metric", "time", "revision", "value"),
    input_columns=LISTING_COLUMNS[BOT_COUNTERS],
    read_expressions=("workspace_id", "bot_id", "metric", _TIME_MS_EXPRESSION, "revision", "value"),
    key_columns="workspace_id, bot_id",
)
_VOTES = MovedTable(
    BOT_VOTES,
    columns=("workspace_id", "bot_id", "user_id", "time", "vote_id", "weight"),
    input_columns=LISTING_COLUMNS[BOT_VOTES],
    read_expressions=("workspace_id", "bot_id", "user_id", _TIME_MS_EXPRESSION, "vote_id", "weight"),
    key_columns="workspace_id, bot_id, user_id",
)
_HIDDEN_EVENTS = _build_plain_table(
    HIDDEN_EVENTS,
    *("workspace_id", "environment", "timestamp", "spool", "seq", "actor", "labelled"),
    key_columns="spool, seq",
    merges_equal_keys=False,
)
_LABELS = _build_plain_table(
    ACTOR_LABELS, "workspace_id", "environment", "actor", "newest", key_columns="workspace_id, environment, actor"
)
_DAILY_COUNTERS = _build_plain_table(
    BOT_COUNTERS_DAILY, "workspace_id", "bot_id", "metric", "day", "last", key_columns="workspace_id, bot_id"
)

# Derived tables come last, and are copied only if filling the others did not make them equal.
MOVED_TABLES = (_EVENTS, _HIDDEN_EVENTS, _COUNTERS, _VOTES, _LABELS, _DAILY_COUNTERS)
