"""What to request from a source, and which part of its answer is which field, as JMESPath expressions."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import jmespath
import msgspec
from jmespath.exceptions import JMESPathError

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.bots.fields import BOT, TIMES

Counts = Literal["bots", "pages"]
Find = Callable[[Any], Any]

ID_PLACEHOLDER: Final = "{id}"


class SpecWrong(TallyroomError):
    """The spec does not describe something that can be collected."""


class Paging(msgspec.Struct, frozen=True):
    """How to request the pages of a list.

    Attributes:
        parameter: the query parameter that says where a page begins; empty for a list without pages.
        counts: what it counts.
        first: its value for the first page.
        size_parameter: the query parameter that says how long a page is; empty for none.
        size: the length of a page.
    """

    parameter: str = ""
    counts: Counts = "bots"
    first: int = 0
    size_parameter: str = ""
    size: int = 100

    def query(self, bots: int, pages: int) -> dict[str, str]:
        """Return the parameters of the next page, after this many bots and pages."""
        query: dict[str, str] = {}
        if self.parameter:
            query[self.parameter] = str(self.first + (bots if self.counts == "bots" else pages))
        if self.size_parameter:
            query[self.size_parameter] = str(self.size)
        return query


class CollectSpec(msgspec.Struct, frozen=True):
    """What to collect.

    Attributes:
        source: the URL of a list; or, with ``{id}`` in it, of one bot.
        ids: the bots to request, in that case.
        items: finds the bots in an answer.
        fields: expressions that find fields in a bot, by field; all other fields have their own names.
        paging: how the source divides its list into pages.
        most: the most bots to collect.
    """

    source: str
    ids: tuple[str, ...]
    items: Find
    fields: Mapping[str, Find]
    paging: Paging
    most: int

    def found_in(self, bot: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of one bot by field.

        Raises:
            SpecWrong: an expression does not fit.
        """
        values = {name: bot[name] for name in (*BOT, *TIMES) if bot.get(name) is not None}
        for name, find in self.fields.items():
            values.pop(name, None)
            if (value := find(bot)) is not None:
                values[name] = value
        return values


def check_spec(spec: CollectSpec) -> None:
    """Check that a spec makes sense.

    Raises:
        SpecWrong: ids and source do not fit together, or there is no such field.
    """
    if bool(spec.ids) != (ID_PLACEHOLDER in spec.source):
        raise SpecWrong(f"--ids requires a --source with {ID_PLACEHOLDER} in it, and such a --source requires --ids.")
    if unknown := spec.fields.keys() - {*BOT, TIMES[0]}:
        names = ", ".join(sorted({*BOT, TIMES[0]}))
        raise SpecWrong(f"--field {min(unknown)}=…: a bot has no such field; it has {names}.")


def finder(option: str, expression: str) -> Find:
    """Return a function that finds the value of an expression.

    Raises:
        SpecWrong: the text is not an expression; the function raises it if the expression does not fit the answer.
    """
    try:
        query = jmespath.compile(expression)
    except JMESPathError as error:
        message = " ".join(str(error).split())
        raise SpecWrong(f"{option} {expression} is not a JMESPath expression: {message}") from error

    def find(value: Any) -> Any:
        try:
            return query.search(value)
        except JMESPathError as error:
            raise SpecWrong(f"{option} {expression} does not fit the answer: {' '.join(str(error).split())}") from error

    return find
