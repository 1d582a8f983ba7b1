"""Which timestamps are taken, which moment each stands for, and the bounds (rules/events#timestamp)."""

from datetime import UTC, datetime, timedelta

import pytest

from harness.builders.moments import ago
from harness.clients.actor import actor
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import refused
from harness.servers.server import Server
from harness.suite.few import few

DAY = datetime.now(UTC) - timedelta(days=3)
DATE = DAY.strftime("%Y-%m-%d")
BASIC = DAY.strftime("%Y%m%d")
BEFORE = (DAY - timedelta(days=1)).strftime("%Y-%m-%d")
AFTER = (DAY + timedelta(days=1)).strftime("%Y-%m-%d")

# A timestamp as sent, and the moment it stands for.
VALID = {
    f"{DATE}T12:00:00Z": f"{DATE}T12:00:00.000Z",
    f"{DATE}T12:00:00z": f"{DATE}T12:00:00.000Z",
    f"{DATE}t12:00:00Z": f"{DATE}T12:00:00.000Z",
    f"{DATE} 12:00:00Z": f"{DATE}T12:00:00.000Z",
    f"{DATE}T12:00:01": f"{DATE}T12:00:01.000Z",
    f"{DATE}T12:34": f"{DATE}T12:34:00.000Z",
    f"{DATE}T12:34Z": f"{DATE}T12:34:00.000Z",
    f"{DATE}T00:00:00Z": f"{DATE}T00:00:00.000Z",
    f"{DATE}T23:59:59Z": f"{DATE}T23:59:59.000Z",
    f"{DATE}T12:00:00.1Z": f"{DATE}T12:00:00.100Z",
    f"{DATE}T12:00:00.12Z": f"{DATE}T12:00:00.120Z",
    f"{DATE}T12:00:00.123Z": f"{DATE}T12:00:00.123Z",
    f"{DATE}T12:00:00.1234Z": f"{DATE}T12:00:00.123Z",
    f"{DATE}T12:00:00.123456Z": f"{DATE}T12:00:00.123Z",
    f"{DATE}T12:00:00.123456789Z": f"{DATE}T12:00:00.123Z",
    f"{DATE}T12:00:00.9999Z": f"{DATE}T12:00:00.999Z",
    f"{DATE}T23:59:59.999999999Z": f"{DATE}T23:59:59.999Z",
    f"{DATE}T12:00:00.001": f"{DATE}T12:00:00.001Z",
    f"{DATE}T12:00:00,5Z": f"{DATE}T12:00:00.500Z",
    f"{DATE}T12:00:00+00:00": f"{DATE}T12:00:00.000Z",
    f"{DATE}T12:00:00-00:00": f"{DATE}T12:00:00.000Z",
    f"{DATE}T12:00:00+02:00": f"{DATE}T10:00:00.000Z",
    f"{DATE}T12:00:00-02:00": f"{DATE}T14:00:00.000Z",
    f"{DATE}T12:00:00+05:30": f"{DATE}T06:30:00.000Z",
    f"{DATE}T12:00:00-09:45": f"{DATE}T21:45:00.000Z",
    f"{DATE}T12:00:00+0200": f"{DATE}T10:00:00.000Z",
    f"{DATE}T12:00:00+02": f"{DATE}T10:00:00.000Z",
    f"{DATE}T12:00:00.25+02:00": f"{DATE}T10:00:00.250Z",
    f"{DATE}T01:00:00+02:00": f"{BEFORE}T23:00:00.000Z",
    f"{DATE}T01:00:00+14:00": f"{BEFORE}T11:00:00.000Z",
    f"{DATE}T23:00:00-02:00": f"{AFTER}T01:00:00.000Z",
    f"{DATE}T12:34+01:00": f"{DATE}T11:34:00.000Z",
    f"{BASIC}T123456Z": f"{DATE}T12:34:56.000Z",
    f"{BASIC}T123456.789Z": f"{DATE}T12:34:56.789Z",
    f"{BASIC}T123456+0100": f"{DATE}T11:34:56.000Z",
}

INVALID = [
    "",
    "now",
    "null",
    DATE,
    "12:00:00Z",
    f"{DATE}T",
    f"{DATE}Z",
    f"{DATE}T24:00:00Z",
    f"{DATE}T25:00:00Z",
    f"{DATE}T12:60:00Z",
    f"{DATE}T12:00:60Z",
    f"{DATE}T23:59:60Z",
    f"{DATE}T12:00:61Z",
    f"{DATE}T12:00:00.Z",
    f"{DATE}T12:00:.5Z",
    f"{DATE}T1:00:00Z",
    f"{DATE}T12:0:00Z",
    f"{DATE}T-1:00:00Z",
    f"{DATE}T12:00:00ZZ",
    f"{DATE}T12:00:00UTC",
    f"{DATE}T12:00:00 CET",
    f"{DATE}T12:00:00[Europe/Paris]",
    f"{DATE}T12:00:00Z+01:00",
    f"{DATE}T12:00:00+24:00",
    f"{DATE}T12:00:00+01:60",
    f"{DATE}T12:00:00+1",
    f"{DATE}T12:00:00+",
    f"{DATE}T12:00:00+01:",
    f"{DATE}T12:00:00\u221201:00",
    f"{DATE}T12:00:00e0Z",
    f" {DATE}T12:00:00Z",
    f"{DATE}T12:00:00Z ",
    f"{DATE}T12:00:00Z\n",
    f"{DATE}\u00a012:00:00Z",
    f"{DATE}TT12:00:00Z",
    f"{DATE}_12:00:00Z",
    f"{DATE}T\u0661\u0662:00:00Z",
    "\uff12\uff10\uff12\uff16-01-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-32T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-1-1T00:00:00Z",
    "26-01-01T00:00:00Z",
    "2026/01/01T00:00:00Z",
    "01-01-2026T00:00:00Z",
    "2026-W01-1T00:00:00Z",
    "2026-001T00:00:00Z",
    "+002026-01-01T00:00:00Z",
    "-2026-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "1700000000",
    "1700000000000",
    "1.7e9",
    "Fri, 20 Nov 2026 12:00:00 GMT",
    "Fri Nov 20 12:00:00 2026",
    "2026-11-20T12:00:00Z/P1D",
    "x" * 70_000,
]


@pytest.fixture(scope="module")
def moments(server: Server) -> dict[str, str]:
    """What each valid timestamp came back as, by the timestamp as sent."""
    workspace = sign_up(server.url)
    events = [{"name": text, "_actor": "a", "_timestamp": text} for text in VALID]
    assert workspace.send({"events": events}).status_code == 202
    return {moment["name"]: moment["timestamp"] for moment in actor(workspace, "a")["timeline"]}


@few(7, "text", VALID)
def test_a_valid_timestamp_is_this_moment(moments: dict[str, str], text: str) -> None:
    assert moments[text] == VALID[text]


@few(13, "text", INVALID, ids=lambda text: ascii(text)[:40])
def test_an_invalid_timestamp_is_refused(shared: Workspace, text: str) -> None:
    status = 413 if len(text) > 65_536 else 400
    body = refused(shared, {"name": "x", "_timestamp": text}, status)
    assert status == 413 or body["details"] == [{"path": ["_timestamp"], "message": "is not an ISO 8601 date-time"}]


def test_a_leap_day_exists_in_a_leap_year(shared: Workspace) -> None:
    assert shared.send({"name": "x", "_timestamp": "2024-02-29T00:00:00Z"}).status_code == 202


@few(
    4,
    ("text", "bound"),
    [
        ("1970-01-01T00:00:00Z", None),
        ("1970-01-01T01:00:00+01:00", None),
        ("1969-12-31T23:00:00-01:00", None),
        ("1970-01-01T00:00:00.001Z", None),
        ("1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z"),
        ("1970-01-01T00:59:59+01:00", "1970-01-01T00:00:00.000Z"),
        ("0001-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
        ("0001-01-01T00:00:00+23:59", "1970-01-01T00:00:00.000Z"),
        (ago(hours=-23.99), None),
        (ago(hours=-23.5)[:-1] + "+00:00", None),
        (ago(hours=-25)[:-1] + "+01:30", None),
        (ago(hours=-24.5), "24 hours"),
        (ago(hours=-23)[:-1] + "-01:30", "24 hours"),
        ("9999-12-31T23:59:59Z", "24 hours"),
        ("9999-12-31T23:59:59-23:59", "24 hours"),
    ],
    ids=range(15),  # some cases hold the time of the run
)
def test_timestamps_from_1970_to_a_day_ahead(shared: Workspace, text: str, bound: str | None) -> None:
    event = {"name": "x", "_timestamp": text}
    if bound is None:
        assert shared.send(event).status_code == 202
    else:
        assert bound in refused(shared, event, 400)["message"]


def test_the_future_bound_is_a_day_after_receipt(shared: Workspace) -> None:
    assert shared.send({"name": "x", "_timestamp": ago(days=-1)}).status_code == 202  # was the bound; is passed by now
    refused(shared, {"name": "x", "_timestamp": ago(days=-1, seconds=-5)}, 400)


def test_an_event_without_timestamp_happened_at_receipt(workspace: Workspace) -> None:
    before = ago()
    assert workspace.send({"name": "x", "_actor": "a"}).status_code == 202
    assert before <= actor(workspace, "a")["firstSeen"] <= ago()
