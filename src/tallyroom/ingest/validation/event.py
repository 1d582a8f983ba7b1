"""One event after validation, as it goes from the request to the spool."""

import msgspec


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
