"""Events that each workspace sent in each month, counted in the events' own commit (rules/people#monthly-cap)."""

import sqlite3


def read_usage(connection: sqlite3.Connection) -> dict[tuple[str, int], int]:
    """Return the number of events by workspace and UTC month of receipt."""
    rows = connection.execute(
        "SELECT workspace_id, CAST(month AS INTEGER), CAST(events AS INTEGER) FROM usage"  # even if damaged
    )
    return {(workspace_id, month): event_count for workspace_id, month, event_count in rows}
