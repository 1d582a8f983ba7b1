"""Mappings for the exports of other products."""

from collections.abc import Callable
from typing import Final, Literal

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.mapping import ColumnMapping, Columns

Product = Literal["posthog", "plausible", "umami", "mixpanel"]

_POSTHOG: Final = ColumnMapping(
    name=("event",),
    actor=("distinct_id",),
    label=("person_properties.email", "person_properties.name"),
    source=("properties.$lib",),
    timestamp=("timestamp",),
    prefix="properties.",
    ignore=("_inserted_at", "created_at", "person_properties", "person", "elements", "team_id"),
)
"""PostHog's events: a batch export as NDJSON or Parquet, or the CSV that the activity page exports.

In NDJSON, `properties` is an object; in Parquet, it is JSON text; in CSV, each property has a column
``properties.<key>``. The actor is the `distinct_id` from PostHog's libraries; `--actor person_id` counts persons.
"""

_UMAMI: Final = ColumnMapping(
    name=("event_name",),
    code="event_type",
    names_by_code={"1": "pageview", "2": "event", "3": "link", "4": "pixel", "5": "performance"},
    actor=("distinct_id", "session_id"),
    label=(),
    source=("hostname",),
    timestamp=("created_at",),
    ignore=("website_id", "job_id"),
    absent="\\N",
)
"""Umami's export of ``website_event``: CSV with one row per event.

Page views have no event name, so their type is the name. The actor is the `distinct_id` if the site identified its
visitors, otherwise the session. Custom properties are in another file, ``event_data``, and are not imported.
"""

_MIXPANEL: Final = ColumnMapping(
    name=("event",),
    actor=("properties.distinct_id",),
    label=(),
    source=(),
    timestamp=("properties.time",),
    epoch_is_local=True,
)
"""Mixpanel's raw event export: NDJSON of ``{"event", "properties": {"distinct_id", "time", "$insert_id", …}}``.

`time` is in seconds or, with ``time_in_ms``, milliseconds. For projects created before 2023, it is in the time zone of
the project instead of UTC. `$insert_id` stays a property: the export has repeated events.
"""

# Tables of Plausible by a column that only they have; the last two share it with others.
_PLAUSIBLE_TABLE_BY_COLUMN: Final = {
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


def _build_plausible_mapping(columns: Columns | None) -> ColumnMapping:
    """Return the mapping of the table of daily totals with these columns, or raise `NotPlausible` if there is none.

    Each row becomes one event, such as ``plausible.pages``, with the numbers of the row as properties to sum; the count
    of these events means nothing. Days begin at midnight in the site's time zone, which the file does not name. Custom
    events keep their name as a property.
    """
    file_columns = columns or ()
    tables = [table for column, table in _PLAUSIBLE_TABLE_BY_COLUMN.items() if column in file_columns]
    if not tables or "date" not in file_columns:
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


MAPPING_BUILDERS: Final[dict[Product, Callable[[Columns | None], ColumnMapping]]] = {
    "posthog": lambda _: _POSTHOG,
    "plausible": _build_plausible_mapping,
    "umami": lambda _: _UMAMI,
    "mixpanel": lambda _: _MIXPANEL,
}
"""Builds the mapping of each product, for a file with these columns; None if each row has its own columns."""
