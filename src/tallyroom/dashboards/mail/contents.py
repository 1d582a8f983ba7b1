"""What the part of a mail about one widget consists of, before it becomes HTML or text."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tallyroom.dashboards.mail.numbers import Change


class BigNumber(NamedTuple):
    """A number to be seen first; `goal` is a sentence about what it should reach."""

    label: str
    value: str
    change: Change | None
    goal: str = ""


class MailTable(NamedTuple):
    """Rows with a text in the first column.

    Attributes:
        head: the names of the columns.
        rows: their texts.
        are_numbers: which columns are numbers, and are aligned as such.
        bars: how long a bar below each row is, from 0 to 1; empty if the rows have none.
        left_out: a sentence about the rows that are not here.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    are_numbers: Sequence[bool]
    bars: Sequence[float] = ()
    left_out: str = ""


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


Content = BigNumber | MailTable | MailChart | MailNote


class WidgetDetail(NamedTuple):
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
    contents: Sequence[Content]
