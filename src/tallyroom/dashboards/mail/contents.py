"""The contents of a mail's part about one widget, before they become HTML or text, and texts that fit into it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tallyroom.dashboards.mail.numbers import NumberChange
from tallyroom.images.charts.goals import GoalProgress

MAX_ROWS = 10  # of a table in a mail

_MAX_CELL_LENGTH = 80


class BigNumber(NamedTuple):
    """The most prominent number, how far it is from its goal, if it has one, and a sentence about it."""

    label: str
    value: str
    change: NumberChange | None
    goal: GoalProgress | None = None
    note: str = ""


class MailTable(NamedTuple):
    """Rows with a text in the first column.

    `bar_lengths` has the lengths of bars below these texts, from 0 to 1, and `row_notes` what is below the bars, if
    any. A ranked list needs no head: its title names both columns.
    """

    column_names: Sequence[str]
    rows: Sequence[Sequence[str]]
    is_number_by_column: Sequence[bool]
    bar_lengths: Sequence[float] = ()
    left_out_note: str = ""
    row_notes: Sequence[str] = ()
    has_head: bool = True


class ThemedPicture(NamedTuple):
    """The names of the pictures of one chart in both themes."""

    light: str
    dark: str


class MailChart(NamedTuple):
    """A chart; `table` has the same content for mails without the `picture`, unless `description` has it all."""

    description: str
    picture: ThemedPicture | None = None
    table: MailTable | None = None


class MailNote(NamedTuple):
    """A text that someone wrote, or a sentence from Tallyroom."""

    text: str


MailContent = BigNumber | MailTable | MailChart | MailNote


class MailWidget(NamedTuple):
    """A widget without its answer; `name` is its title, or what it is about."""

    name: str
    config: Any
    timezone: str


class WidgetPart(NamedTuple):
    """What a mail shows of one widget; `column_count` is its width on the dashboard, which has 12 columns."""

    title: str
    contents: Sequence[MailContent]
    column_count: int = 12


def shorten_cell(text: str) -> str:
    """Return a text cut to the length of a cell."""
    return text if len(text) <= _MAX_CELL_LENGTH else text[: _MAX_CELL_LENGTH - 1].rstrip() + "…"


def format_left_out_rows(row_count: int) -> str:
    """Return how many rows a mail leaves out, in words; empty for none."""
    return f"{row_count} more row{'s' * (row_count > 1)}" if row_count > 0 else ""
