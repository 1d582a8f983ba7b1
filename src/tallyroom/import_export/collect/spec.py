"""What to request from a source, and which part of its answer is which field, as JMESPath expressions."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import jmespath
import msgspec
from jmespath.exceptions import JMESPathError

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.bots.fields import BOT_FIELDS, TIMESTAMP_FIELDS

PageUnit = Literal["bots", "pages"]
Extractor = Callable[[Any], Any]

ID_PLACEHOLDER: Final = "{id}"


class SpecWrong(TallyroomError):
    """The spec does not describe anything that can be collected."""


class Paging(msgspec.Struct, frozen=True):
    """How to request the pages of a list: `parameter` counts bots or pages; without one, there are no pages."""

    parameter: str = ""
    counted_unit: PageUnit = "bots"
    first_value: int = 0
    size_parameter: str = ""
    page_size: int = 100

    def build_query(self, bot_count: int, page_count: int) -> dict[str, str]:
        """Return the parameters of the next page, after this many bots and pages."""
        query: dict[str, str] = {}
        if self.parameter:
            query[self.parameter] = str(self.first_value + (bot_count if self.counted_unit == "bots" else page_count))
        if self.size_parameter:
            query[self.size_parameter] = str(self.page_size)
        return query


class CollectSpec(msgspec.Struct, frozen=True):
    """What to collect, from the URL of a list or, with ``{id}`` in it, of each of `bot_ids`.

    `field_extractors` find fields in a bot, by field; other fields have their own names.
    """

    source_url: str
    bot_ids: tuple[str, ...]
    find_bots: Extractor
    field_extractors: Mapping[str, Extractor]
    paging: Paging
    max_bots: int

    def extract_fields(self, bot: Mapping[str, Any]) -> dict[str, Any]:
        """Return one bot's values by field; raise `SpecWrong` if an expression does not fit."""
        value_by_field = {name: bot[name] for name in (*BOT_FIELDS, *TIMESTAMP_FIELDS) if bot.get(name) is not None}
        for name, extract in self.field_extractors.items():
            value_by_field.pop(name, None)
            if (value := extract(bot)) is not None:
                value_by_field[name] = value
        return value_by_field


def check_spec(spec: CollectSpec) -> None:
    """Raise `SpecWrong` if ids and source do not fit together, or there is no such field."""
    if bool(spec.bot_ids) != (ID_PLACEHOLDER in spec.source_url):
        raise SpecWrong(f"--ids requires a --source with {ID_PLACEHOLDER} in it, and such a --source requires --ids.")
    if unknown_fields := spec.field_extractors.keys() - {*BOT_FIELDS, TIMESTAMP_FIELDS[0]}:
        names = ", ".join(sorted({*BOT_FIELDS, TIMESTAMP_FIELDS[0]}))
        raise SpecWrong(f"--field {min(unknown_fields)}=…: a bot has no such field; it has {names}.")


def compile_extractor(option: str, expression: str) -> Extractor:
    """Return a function that finds the value of an expression; both raise `SpecWrong` if it is not suitable."""
    try:
        compiled = jmespath.compile(expression)
    except JMESPathError as error:
        message = " ".join(str(error).split())
        raise SpecWrong(f"{option} {expression} is not a JMESPath expression: {message}") from error

    def extract(value: Any) -> Any:
        try:
            return compiled.search(value)
        except JMESPathError as error:
            raise SpecWrong(
                f"{option} {expression} does not fit the response: {' '.join(str(error).split())}"
            ) from error

    return extract
