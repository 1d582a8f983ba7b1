"""What the doctor says about alerts that wait for the newest events (rules/alerts#delays)."""

from pathlib import Path

import pytest

from harness.stores.event_store import NOW_MS
from tallyroom.cluster.survey import DelayedAlerts
from tallyroom.operations.doctor.alert_checks import check_delayed_alerts, read_delayed_alerts

TEN_MINUTES_MS = 600_000


@pytest.mark.parametrize(("count", "subject"), [(1, "1 alert has kept its"), (1234, "1,234 alerts have kept their")])
def test_a_long_delay_is_a_warning(count: int, subject: str) -> None:
    [finding] = check_delayed_alerts(DelayedAlerts(count, NOW_MS), NOW_MS + TEN_MINUTES_MS)
    assert finding.state == "warning"
    assert finding.text.startswith(f"{subject} status since 2026-11-20 12:00 UTC")


@pytest.mark.parametrize("delayed", [DelayedAlerts(0, None), DelayedAlerts(3, NOW_MS + 1)])
def test_a_short_delay_is_no_finding(delayed: DelayedAlerts) -> None:
    assert list(check_delayed_alerts(delayed, NOW_MS + TEN_MINUTES_MS)) == []


def test_metadata_that_cannot_be_read_have_no_finding_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "metadata.sqlite").write_bytes(b"no database")
    assert read_delayed_alerts(tmp_path / "metadata.sqlite") == DelayedAlerts(0, None)
    assert read_delayed_alerts(tmp_path / "missing.sqlite") == DelayedAlerts(0, None)
