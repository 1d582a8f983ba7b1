"""What the server asks of a process that reads bodies, sent as MessagePack."""

import msgspec

from tallyroom.ingest.validation.event import Event


class ReadEvents(msgspec.Struct, frozen=True, tag=True):
    """A body of events to read.

    Attributes:
        body: the inflated body.
        now_ms: the time of receipt.
        exactly: whether to judge it, instead of giving up on a body that is not plainly right.
    """

    body: bytes
    now_ms: int
    exactly: bool


class ReadRecords(msgspec.Struct, frozen=True, tag=True):
    """A request of OpenTelemetry to read: the inflated body, in JSON or else in protobuf."""

    signal: str
    body: bytes
    json: bool


BodyJob = ReadEvents | ReadRecords


class FoundEvents(msgspec.Struct, frozen=True):
    """The events of a body that need not be judged; None if it is not plainly right."""

    events: list[Event] | None


BODY_JOB_DECODER: msgspec.msgpack.Decoder[BodyJob] = msgspec.msgpack.Decoder(BodyJob)
