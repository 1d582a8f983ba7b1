"""The side of a worker process: it reads jobs from its standard input, and writes a reply to each.

Jobs and replies are MessagePack, each preceded by its length. A worker ends when its standard input ends, so it never
outlives the server, however that ends (core/process_pool.py is the server's side).
"""

import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import msgspec

from tallyroom.core.errors import Detail, PayloadTooLarge, TallyroomError, ValidationFailed
from tallyroom.core.priority import lower_priority

LENGTH_BYTE_COUNT = 4
"""Each message is preceded by its length, a big-endian number of this many bytes."""

REFUSAL_TYPES: dict[str, type[TallyroomError]] = {
    refusal.slug: refusal for refusal in (ValidationFailed, PayloadTooLarge)
}
"""The errors that are an answer to a job, by their slugs; any other is a fault of the program."""


class JobResult(msgspec.Struct, frozen=True, tag=True):
    """What a job was for, as MessagePack."""

    value: msgspec.Raw


class JobRefusal(msgspec.Struct, frozen=True, tag=True):
    """The refusal of an invalid job: one of `REFUSAL_TYPES`, and what it says."""

    slug: str
    message: str
    details: list[Detail]


class JobFailure(msgspec.Struct, frozen=True, tag=True):
    """A fault of the program: the job may be valid."""

    reason: str


JobReply = JobResult | JobRefusal | JobFailure


def serve_jobs(run_job: Callable[[bytes], Any]) -> None:
    """Answer the jobs of the server that started this process, one after the other, until it ends.

    Args:
        run_job: returns the result of a job, which is MessagePack.
    """
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
    except Exception as error:  # noqa: BLE001 # the server has it in its log, and this process goes on
        return JobFailure(repr(error))
