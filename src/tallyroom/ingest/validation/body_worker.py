"""A process that reads bodies: ``python -m tallyroom.ingest.validation.body_worker``.

Reading in C would block all other threads, and take memory that the server would keep.
"""

import gc

import msgspec

from tallyroom.core.worker import serve_jobs
from tallyroom.ingest.otlp.body import CheckedPieces, read_json, read_protobuf
from tallyroom.ingest.otlp.signals import SIGNALS
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.exact import parse_exactly
from tallyroom.ingest.validation.fast import parse_plainly


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


class FoundEvents(msgspec.Struct, frozen=True):
    """The events of a body that is plainly right; None for any other body."""

    events: list[Event] | None


_job_decoder: msgspec.msgpack.Decoder[ReadEvents | ReadRecords] = msgspec.msgpack.Decoder(ReadEvents | ReadRecords)


def run_job(job_bytes: bytes) -> list[Event] | FoundEvents | CheckedPieces:
    """Run a job with the function for its kind, and raise that function's errors."""
    body_job = _job_decoder.decode(job_bytes)
    if isinstance(body_job, ReadRecords):
        return (read_json if body_job.json else read_protobuf)(SIGNALS[body_job.signal], body_job.body)
    if body_job.exactly:
        return parse_exactly(body_job.body, body_job.now_ms)
    return FoundEvents(parse_plainly(body_job.body, body_job.now_ms))


def main() -> None:
    """Read bodies for the server that started this process."""
    gc.disable()  # decoded data has no reference cycles, and a collection would visit all of it
    serve_jobs(run_job)


if __name__ == "__main__":
    main()
