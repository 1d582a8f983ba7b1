"""What the part of a mail about one widget consists of, before it becomes HTML or text."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tallyroom.dashboards.mail.numbers import NumberChange


class BigNumber(NamedTuple):
    """A number to be seen first; `goal` is a sentence about what it should reach."""

    label: str
    value: str
    change: NumberChange | None
    goal: str = ""


class MailTable(NamedTuple):
    """Rows with a text in the first column.

    Attributes:
        column_names: the names of the columns.
        rows: their texts.
        is_number_by_column: which columns are numbers, and are aligned as such.
        bar_lengths: how long a bar below each row is, from 0 to 1; empty if the rows have none.
        left_out_note: a sentence about the rows that are not here.
    """

    column_names: Sequence[str]
    rows: Sequence[Sequence[str]]
    is_number_by_column: Sequence[bool]
    bar_lengths: Sequence[float] = ()
    left_out_note: str = ""


class MailChart(NamedTuple):
    """A chart.

    Attributes:
        description: says the essential.
        picture: its name; None if there is no picture.
        table: says the same where there is no picture; None if the description does.
    """

    description: str
    picture: str | None = None
    table: MailTable | None = None


class MailNote(NamedTuple):
    """A text that somebody wrote, or a sentence of our own."""

    text: str


MailContent = BigNumber | MailTable | MailChart | MailNote


class MailWidget(NamedTuple):
    """What is known of a widget beside its answer.

    Attributes:
        name: its title, or what it is about.
        config: its config.
        timezone: in which times are shown.
    """

    name: str
    config: Any
    timezone: str


class WidgetPart(NamedTuple):
    """What a mail shows of one widget."""

    title: str
    contents: Sequence[MailContent]
