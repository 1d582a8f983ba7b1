"""The server's jobs for a process that reads bodies, sent as MessagePack."""

import msgspec

from tallyroom.ingest.validation.event import Event


class ReadEvents(msgspec.Struct, frozen=True, tag=True):
    """An inflated body of events to read; with `exactly`, also if it is not plainly right."""

    body: bytes
    now_ms: int
    exactly: bool


class ReadRecords(msgspec.Struct, frozen=True, tag=True):
    """An OpenTelemetry request to read: the inflated body, in JSON or else in protobuf."""

    signal: str
    body: bytes
    json: bool


BodyJob = ReadEvents | ReadRecords


class FoundEvents(msgspec.Struct, frozen=True):
    """The events of a body that is plainly right; None for any other body."""

    events: list[Event] | None


BODY_JOB_DECODER: msgspec.msgpack.Decoder[BodyJob] = msgspec.msgpack.Decoder(BodyJob)
