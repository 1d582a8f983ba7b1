"""A process that reads bodies: ``python -m tallyroom.ingest.validation.body_worker``.

Reading in C would hold Python's lock and block all other threads, and take memory that the server would keep.
"""

import gc

from tallyroom.core.worker import serve_jobs
from tallyroom.ingest.otlp.body import CheckedPieces, read_json, read_protobuf
from tallyroom.ingest.otlp.signals import SIGNALS
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.exact import parse_exactly
from tallyroom.ingest.validation.fast import parse_plainly
from tallyroom.ingest.validation.messages import BODY_JOB_DECODER, FoundEvents, ReadRecords


def run_job(job_bytes: bytes) -> list[Event] | FoundEvents | CheckedPieces:
    """Run a job with the function for its kind, and raise that function's errors."""
    body_job = BODY_JOB_DECODER.decode(job_bytes)
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
