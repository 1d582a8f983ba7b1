"""A position in a stream: how far it has read the events of each spool, and the text by which a client names it.

A single process has one spool, so the id of an event is a position (rules/questions#event-stream).
"""

import binascii
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping

import msgspec

from tallyroom.storage.event_store.event_id import EventPosition, position_of

END_SEQ = (1 << 42) - 1  # after all events of a spool that is no longer used
_PREFIX = "w1."
_EPOCH_BYTES = 6
_ENTRY_STRUCT = struct.Struct(">IHI")


class StreamPosition(msgspec.Struct, frozen=True):
    """The position of a stream: for each spool, the sequence number up to which its events were sent.

    `epoch` is that of the newest start at that time; a spool with a later one may have begun afterwards. `event` is the
    event whose id names the position; None if the position has an entry for each spool.
    """

    seq_by_spool: Mapping[int, int]
    epoch: int = 0
    event: EventPosition | None = None

    def encode(self) -> str:
        """Return a text for clients, with an entry of 14 characters for each spool that is in use."""
        entries = [
            _ENTRY_STRUCT.pack(spool, seq >> 32, seq & 0xFFFFFFFF)
            for spool, seq in sorted(self.seq_by_spool.items())
            if seq != END_SEQ
        ]
        payload = self.epoch.to_bytes(_EPOCH_BYTES, "big") + b"".join(entries)
        return _PREFIX + urlsafe_b64encode(payload).rstrip(b"=").decode()


def parse_stream_position(text: str) -> StreamPosition | None:
    """Return the position in an event's id or in a text of `StreamPosition.encode`; None if the text is neither."""
    if event := position_of(text):
        return StreamPosition({event.spool: event.seq}, event=event)
    if not text.startswith(_PREFIX):
        return None
    try:
        payload = urlsafe_b64decode(text[len(_PREFIX) :] + "=" * (-(len(text) - len(_PREFIX)) % 4))
        entries = list(_ENTRY_STRUCT.iter_unpack(payload[_EPOCH_BYTES:]))
    except (binascii.Error, struct.error, ValueError):
        return None
    position = StreamPosition(
        {spool: high << 32 | low for spool, high, low in entries}, int.from_bytes(payload[:_EPOCH_BYTES], "big")
    )
    is_canonical = all(seq < END_SEQ for seq in position.seq_by_spool.values()) and position.encode() == text
    return position if is_canonical else None
