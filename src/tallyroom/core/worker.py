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
from tallyroom.core.priority import step_back

LENGTH_BYTES = 4
"""Each message is preceded by its length, a big-endian number of this many bytes."""

REFUSALS: dict[str, type[TallyroomError]] = {refusal.slug: refusal for refusal in (ValidationFailed, PayloadTooLarge)}
"""The errors that are an answer to a job, by their slugs; any other is a fault of the program."""


class JobResult(msgspec.Struct, frozen=True, tag=True):
    """What a job was for, as MessagePack."""

    value: msgspec.Raw


class JobRefusal(msgspec.Struct, frozen=True, tag=True):
    """The refusal of an invalid job: one of `REFUSALS`, and what it says."""

    slug: str
    message: str
    details: list[Detail]


class JobFailure(msgspec.Struct, frozen=True, tag=True):
    """A fault of the program: the job may be valid."""

    reason: str


JobReply = JobResult | JobRefusal | JobFailure


def answer_jobs(answer: Callable[[bytes], Any]) -> None:
    """Answer the jobs of the server that started this process, one after the other, until it ends.

    Args:
        answer: returns the result of a job, which is MessagePack.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the server handles it, and then ends this process
    step_back()
    try:
        answer_each(sys.stdin.buffer, sys.stdout.buffer, answer)
    except BrokenPipeError:  # the server is gone
        sys.stderr.close()


def answer_each(jobs: BinaryIO, replies: BinaryIO, answer: Callable[[bytes], Any]) -> None:
    """Answer jobs until the input ends."""
    while length := jobs.read(LENGTH_BYTES):
        reply = msgspec.msgpack.encode(_reply(jobs.read(int.from_bytes(length, "big")), answer))
        replies.write(len(reply).to_bytes(LENGTH_BYTES, "big"))
        replies.write(reply)
        replies.flush()


def _reply(job: bytes, answer: Callable[[bytes], Any]) -> JobReply:
    try:
        return JobResult(msgspec.Raw(msgspec.msgpack.encode(answer(job))))
    except tuple(REFUSALS.values()) as error:
        return JobRefusal(error.slug, error.message, error.details)
    except Exception as error:  # noqa: BLE001 # the server has it in its log, and this process goes on
        return JobFailure(repr(error))
