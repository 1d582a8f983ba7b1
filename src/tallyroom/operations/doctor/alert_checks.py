"""The doctor's check of alerts that wait for the newest events (rules/alerts#delays)."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from tallyroom.cluster.survey import SELECT_DELAYED_ALERTS, DelayedAlerts
from tallyroom.core.times import MINUTE_MS, iso_ms
from tallyroom.operations.doctor.findings import Finding, report_warning
from tallyroom.storage.database_file import open_read_only

_MAX_DELAY_MS: Final = 10 * MINUTE_MS


def read_delayed_alerts(metadata_file: Path) -> DelayedAlerts:
    """Return how many alerts wait; none if the metadata file cannot be read, or is of an earlier version."""
    with suppress(sqlite3.Error), open_read_only(metadata_file) as connection:
        return DelayedAlerts(*connection.execute(SELECT_DELAYED_ALERTS).fetchone())
    return DelayedAlerts(0, None)


def check_delayed_alerts(delayed_alerts: DelayedAlerts, now_ms: int) -> Iterator[Finding]:
    """Report alerts that have kept their status for ten minutes."""
    alert_count, since_ms = delayed_alerts
    if since_ms is None or now_ms - since_ms < _MAX_DELAY_MS:
        return
    since = iso_ms(since_ms)[:16].replace("T", " ")
    subject = "1 alert has kept its" if alert_count == 1 else f"{alert_count:,} alerts have kept their"
    text = f"{subject} status since {since} UTC: the newest events have not reached the event store."
    yield report_warning(
        "alerts", text, "Find out what the queue waits for: see the line about it, /readyz and the log."
    )
