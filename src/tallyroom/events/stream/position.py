"""A position in a stream: up to where it has got in the events of each spool, and the text by which a client names it.

A process alone has one spool, so the id of an event is a position (rules/questions#event-stream).
"""

import binascii
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping

import msgspec

from tallyroom.storage.event_store.event_id import EventPosition, position_of

END = (1 << 42) - 1
"""A sequence number after all events of a spool that nobody uses any more."""

_FORM = "w1."
_EPOCH_BYTES = 6
_ENTRY = struct.Struct(">IHI")


class StreamPosition(msgspec.Struct, frozen=True):
    """Where a stream is.

    Attributes:
        seqs: for each spool, the sequence number up to which its events were sent.
        epoch: the epoch of the newest start at that time; a spool of a later one may have begun afterwards.
        event: the event whose id names the position; None if the position has an entry for each spool.
    """

    seqs: Mapping[int, int]
    epoch: int = 0
    event: EventPosition | None = None

    def text(self) -> str:
        """Return a text for clients, with an entry of 14 characters for each spool that is in use."""
        entries = [
            _ENTRY.pack(spool, seq >> 32, seq & 0xFFFFFFFF) for spool, seq in sorted(self.seqs.items()) if seq != END
        ]
        payload = self.epoch.to_bytes(_EPOCH_BYTES, "big") + b"".join(entries)
        return _FORM + urlsafe_b64encode(payload).rstrip(b"=").decode()


def stream_position_of(text: str) -> StreamPosition | None:
    """Return what an event's id or a text of `StreamPosition.text` names; None if the text is neither."""
    if event := position_of(text):
        return StreamPosition({event.spool: event.seq}, event=event)
    if not text.startswith(_FORM):
        return None
    try:
        payload = urlsafe_b64decode(text[len(_FORM) :] + "=" * (-(len(text) - len(_FORM)) % 4))
        entries = list(_ENTRY.iter_unpack(payload[_EPOCH_BYTES:]))
    except (binascii.Error, struct.error, ValueError):
        return None
    position = StreamPosition(
        {spool: high << 32 | low for spool, high, low in entries}, int.from_bytes(payload[:_EPOCH_BYTES], "big")
    )
    is_shaped = all(seq < END for seq in position.seqs.values()) and position.text() == text
    return position if is_shaped else None
