"""Messages of alerts as the evaluation writes them, and channels that receive them."""

from typing import Any

from harness.clients.dashboards import make
from harness.clients.workspace import Workspace
from tallyroom.alerts.channel_types.message import AlertMessage

URL = "https://tally.example.com/alerts/019aa0b0-0000-7000-8000-000000000001"

POINTS = tuple((1_795_176_000.0 - 60 * (60 - at), 60.0 + at) for at in range(61))
"""An hour that ends at noon, with a value that grows from 60 to 120."""

FIELDS: dict[str, Any] = {
    "type": "alert.fired",
    "timestamp": "2026-11-20T12:00:00.000Z",
    "alert_id": "019aa0b0-0000-7000-8000-000000000001",
    "name": "Too many sign-ups",
    "severity": "critical",
    "environment": "production",
    "event": "signup",
    "measure": "count",
    "condition": "above",
    "threshold": 100.0,
    "value": 120.0,
    "window_minutes": 60,
    "fired_at": "2026-11-20T12:00:00.000Z",
    "resolved_at": None,
    "url": URL,
}

TYPES: dict[str, dict[str, Any]] = {
    "alert.fired": {},
    "alert.reminder": {"timestamp": "2026-11-20T14:05:00.000Z", "value": 140.5},
    "alert.nodata": {
        "timestamp": "2026-11-20T12:35:00.000Z",
        "value": None,
        "no_data_since": "2026-11-20T12:20:00.000Z",
    },
    "alert.resolved": {
        "timestamp": "2026-11-20T12:35:00.000Z",
        "resolved_at": "2026-11-20T12:35:00.000Z",
        "value": 80.0,
    },
    "test": {"severity": "warning"},
}
"""What else is different about a message of each type."""

MAILBOX = {"name": "On call", "type": "email", "destination": "ann@example.com"}
"""A channel to make."""

HOSTILE = (
    "@everyone @here",
    "<!channel> <@U123>",
    "</b><script>alert(1)</script>",
    "a\r\nBcc: evil@example.com",
    "=?utf-8?q?Injected?=",
    "🔥🗝️ emoji",
    "abc\u202eevil\u2066x",
    "`code` *bold* _it_ ~~no~~ ||spoiler||",
    "[click](https://evil.example) https://evil.example",
    "&amp; &lt; $sentence ${badge} %s {0}",
    "\\",
    "x" * 5000,
    "@" * 5000,
    "&" * 5000,
    "🔥" * 5000,
)


def short(text: str) -> str:
    """The name of a test with a hostile text."""
    return ascii(text)[1:25]


def a_message(type_: str = "alert.fired", **fields: Any) -> AlertMessage:
    """A message of a type, as it is unless the fields say otherwise."""
    return AlertMessage(**FIELDS | TYPES[type_] | {"type": type_} | fields)


def make_channel(workspace: Workspace, **fields: Any) -> Any:
    """A new channel: a mailbox, unless the fields say otherwise."""
    return make(workspace, "/v1/alert-channels", MAILBOX | fields)
