"""One event after validation, as it goes from the request to the spool."""

import msgspec

MAX_DEPTH = 32

MAX_EVENTS = 500
MAX_EVENT_BYTES = 65_536
MAX_BODY_BYTES = 2_097_152

MAX_FUTURE_MS = 24 * 3600 * 1000


class Event(msgspec.Struct, frozen=True, gc=False):
    """An event that meets all rules for events (rules/events#event).

    Attributes:
        name: 1 to 128 code points.
        actor: the actor key, "" for an anonymous event.
        label: the display name sent with it, "" when none was sent.
        source: the source label, "" when none was sent.
        timestamp_ms: milliseconds since 1970 UTC; the time of receipt when the event carries none.
        properties: the JSON object as sent, UTF-8, one line.
        narrowed: the same object for the store's typed maps if they need a different text (narrow.py), else b"".
    """

    name: str
    actor: str
    label: str
    source: str
    timestamp_ms: int
    properties: bytes
    narrowed: bytes = b""
