"""The worker's side of a process pool: answers jobs from standard input, and ends with it (core/process_pool.py)."""

import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import msgspec

from tallyroom.core.errors import Detail, PayloadTooLarge, TallyroomError, ValidationFailed
from tallyroom.core.priority import lower_priority

LENGTH_BYTE_COUNT = 4  # each message is preceded by its length, a big-endian number with this many bytes
REFUSAL_TYPES: dict[str, type[TallyroomError]] = {
    refusal.slug: refusal for refusal in (ValidationFailed, PayloadTooLarge)
}
"""The errors that answer a job, by slug; any other error is a bug."""


class JobResult(msgspec.Struct, frozen=True, tag=True):
    """The result of a job, as MessagePack."""

    value: msgspec.Raw


class JobRefusal(msgspec.Struct, frozen=True, tag=True):
    """The refusal of an invalid job, with a slug of `REFUSAL_TYPES`."""

    slug: str
    message: str
    details: list[Detail]


class JobFailure(msgspec.Struct, frozen=True, tag=True):
    """A bug: the job may be valid."""

    reason: str


JobReply = JobResult | JobRefusal | JobFailure


def serve_jobs(run_job: Callable[[bytes], Any]) -> None:
    """Answer the jobs of the server that started this process until it ends; results are MessagePack."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the server handles it, and then ends this process
    lower_priority()
    try:
        process_jobs(sys.stdin.buffer, sys.stdout.buffer, run_job)
    except BrokenPipeError:  # the server is gone
        sys.stderr.close()


def process_jobs(job_stream: BinaryIO, reply_stream: BinaryIO, run_job: Callable[[bytes], Any]) -> None:
    """Answer jobs until the input ends."""
    while length := job_stream.read(LENGTH_BYTE_COUNT):
        reply = msgspec.msgpack.encode(_run_job(job_stream.read(int.from_bytes(length, "big")), run_job))
        reply_stream.write(len(reply).to_bytes(LENGTH_BYTE_COUNT, "big"))
        reply_stream.write(reply)
        reply_stream.flush()


def _run_job(job: bytes, run_job: Callable[[bytes], Any]) -> JobReply:
    try:
        return JobResult(msgspec.Raw(msgspec.msgpack.encode(run_job(job))))
    except tuple(REFUSAL_TYPES.values()) as error:
        return JobRefusal(error.slug, error.message, error.details)
    except Exception as error:  # noqa: BLE001 # the server logs it, and this process continues
        return JobFailure(repr(error))
