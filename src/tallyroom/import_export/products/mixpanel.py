"""Mixpanel's raw event export: NDJSON of ``{"event", "properties": {"distinct_id", "time", "$insert_id", …}}``.

`time` is in seconds, or in milliseconds if the export was requested with ``time_in_ms``. For projects created before
2023, it is in the project's time zone instead of UTC, and the import must name the zone.
"""

from tallyroom.import_export.mapping import ColumnMapping, Columns


def build_mapping(_: Columns | None) -> ColumnMapping:
    """Return the mapping of every such export. `$insert_id` stays a property: the export has repeated events."""
    return ColumnMapping(
        name=("event",),
        actor=("properties.distinct_id",),
        label=(),
        source=(),
        timestamp=("properties.time",),
        epoch_is_local=True,
    )
