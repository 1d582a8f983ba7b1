"""Mixpanel's raw event export: NDJSON of ``{"event", "properties": {"distinct_id", "time", "$insert_id", …}}``.

`time` is in seconds, in milliseconds when the export asked for ``time_in_ms``. For projects that were made before 2023
it counts in the project's time zone instead of UTC; then the zone must be told.
"""

from tallyroom.transfer.mapping import Columns, Mapping


def mapping(_: Columns | None) -> Mapping:
    """The mapping of every such export. `$insert_id` stays a property: the export holds what was sent twice twice."""
    return Mapping(
        name=("event",),
        actor=("properties.distinct_id",),
        label=(),
        source=(),
        timestamp=("properties.time",),
        epoch_is_local=True,
    )
