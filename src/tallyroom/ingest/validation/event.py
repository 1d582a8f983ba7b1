"""One event after validation, on its way from the request to the spool."""

import msgspec


class Event(msgspec.Struct, frozen=True, gc=False):
    """An event that meets all rules for events (rules/events#event); missing texts are "".

    `timestamp_ms` is in ms since 1970 UTC. `properties` is the JSON object as sent, in one line. `has_long_numbers` is
    False only if no number in the body is more than its double (number_shape.py). `narrowed` is the text of the
    properties for the store's typed maps if that differs (wide_integers.py), else b"".
    """

    name: str
    actor: str
    label: str
    source: str
    timestamp_ms: int
    properties: bytes
    has_long_numbers: bool = False
    narrowed: bytes = b""
