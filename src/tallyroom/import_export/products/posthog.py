"""PostHog's events: a batch export as NDJSON or Parquet, or the CSV that the activity page exports.

In NDJSON, `properties` is an object; in Parquet, it is JSON text; in CSV, each property has a column
``properties.<key>``. The actor is the `distinct_id` from PostHog's libraries; `--actor person_id` counts persons.
"""

from tallyroom.import_export.mapping import ColumnMapping, Columns


def build_mapping(_: Columns | None) -> ColumnMapping:
    """Return the mapping of every such export."""
    return ColumnMapping(
        name=("event",),
        actor=("distinct_id",),
        label=("person_properties.email", "person_properties.name"),
        source=("properties.$lib",),
        timestamp=("timestamp",),
        prefix="properties.",
        ignore=("_inserted_at", "created_at", "person_properties", "person", "elements", "team_id"),
    )
