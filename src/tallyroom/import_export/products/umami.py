"""Umami's export of ``website_event``: CSV with one row per event.

Page views have no event name, so their type is the name. The actor is the `distinct_id` if the site identified its
visitors, otherwise the session. Custom properties of events are in another file, ``event_data``, and are not imported.
"""

from tallyroom.import_export.mapping import ColumnMapping, Columns

_NAME_BY_TYPE = {"1": "pageview", "2": "event", "3": "link", "4": "pixel", "5": "performance"}


def build_mapping(_: Columns | None) -> ColumnMapping:
    """Return the mapping of every such export."""
    return ColumnMapping(
        name=("event_name",),
        code="event_type",
        names_by_code=_NAME_BY_TYPE,
        actor=("distinct_id", "session_id"),
        label=(),
        source=("hostname",),
        timestamp=("created_at",),
        ignore=("website_id", "job_id"),
        absent="\\N",
    )
