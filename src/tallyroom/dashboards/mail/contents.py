"""The contents of a mail's part about one widget, before they become HTML or text."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tallyroom.dashboards.mail.numbers import NumberChange


class BigNumber(NamedTuple):
    """The most prominent number; `goal` is a sentence about the value that it should reach."""

    label: str
    value: str
    change: NumberChange | None
    goal: str = ""


class MailTable(NamedTuple):
    """Rows with a text in the first column.

    `is_number_by_column` marks columns to be aligned as numbers. `bar_lengths` has the length of a bar below each row,
    from 0 to 1; empty if the rows have no bars. `left_out_note` is a sentence about the rows that are left out.
    """

    column_names: Sequence[str]
    rows: Sequence[Sequence[str]]
    is_number_by_column: Sequence[bool]
    bar_lengths: Sequence[float] = ()
    left_out_note: str = ""


class MailChart(NamedTuple):
    """A chart.

    `description` has the essentials. `picture` is its name; None if there is no picture. `table` has the same content
    for mails without the picture; None if the description has it all.
    """

    description: str
    picture: str | None = None
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
    """What a mail shows of one widget."""

    title: str
    contents: Sequence[MailContent]
