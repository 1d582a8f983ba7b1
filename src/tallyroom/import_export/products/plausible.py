"""Plausible's export: CSV files with daily totals, which no import can turn back into single events.

Therefore each row becomes one event with the numbers of the row as properties. It is named after the table, as in
``plausible.pages``. Charts should sum a property of these events; their count means nothing. Days begin at midnight in
the site's time zone, which the file does not name. Custom events keep their name as a property.
"""

from typing import Final

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.mapping import ColumnMapping, Columns

# Tables by a column that only they have; the last two share it with others.
_TABLE_BY_COLUMN: Final = {
    "utm_source": "sources",
    "entry_page": "entry_pages",
    "exit_page": "exit_pages",
    "link_url": "custom_events",
    "country": "locations",
    "device": "devices",
    "browser": "browsers",
    "operating_system": "operating_systems",
    "page": "pages",
    "bounces": "visitors",
}


class NotPlausible(TallyroomError):
    """The file is not one of the tables of the export."""


def build_mapping(columns: Columns | None) -> ColumnMapping:
    """Return the mapping of the table with these columns, or raise `NotPlausible` if there is none."""
    tables = [table for column, table in _TABLE_BY_COLUMN.items() if columns is not None and column in columns]
    if not tables or columns is None or "date" not in columns:
        raise NotPlausible(
            "This is not one of the CSV files of Plausible's export. Unpack the zip and import the files one by one."
        )
    return ColumnMapping(
        name=(),
        event=f"plausible.{tables[0]}",
        actor=(),
        label=(),
        source=(),
        timestamp=("date",),
        unit="iso",
        properties="",
        text=("browser_version", "operating_system_version", "city", "name", "page", "path"),
    )
