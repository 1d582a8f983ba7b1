"""Answers jobs one after the other, and ends with the server that started it."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from harness.servers import echo_worker
from harness.servers.child import WITH_HARNESS
from harness.suite.patience import PATIENCE
from tallyroom.core.errors import Detail, PayloadTooLarge, Unavailable, ValidationFailed
from tallyroom.core.worker import LENGTH_BYTE_COUNT, JobFailure, JobRefusal, JobReply, JobResult, process_jobs

COMMAND = [sys.executable, "-m", echo_worker.__name__]


encode = msgspec.msgpack.encode


def framed(*messages: bytes) -> bytes:
    return b"".join(len(message).to_bytes(LENGTH_BYTE_COUNT, "big") + message for message in messages)


def result(value: object) -> bytes:
    return encode(JobResult(msgspec.Raw(encode(value))))


def replies(answer: Callable[[bytes], Any], *jobs: bytes) -> list[JobReply]:
    written = io.BytesIO()
    process_jobs(io.BytesIO(framed(*jobs)), written, answer)
    written.seek(0)
    found = []
    while length := written.read(LENGTH_BYTE_COUNT):
        found.append(msgspec.msgpack.decode(written.read(int.from_bytes(length, "big")), type=JobReply))
    return found


def test_jobs_are_answered_in_their_order() -> None:
    written = io.BytesIO()
    process_jobs(io.BytesIO(framed(b"a", b"", b"bc" * 70_000)), written, lambda job: job + b"!")
    assert written.getvalue() == framed(result(b"a!"), result(b"!"), result(b"bc" * 70_000 + b"!"))


def test_a_refusal_says_what_the_error_says_and_anything_else_is_a_fault() -> None:
    errors = [ValidationFailed.at(["a", 1], "is wrong"), PayloadTooLarge("too large"), Unavailable("no"), KeyError("x")]

    def fail(job: bytes) -> None:
        raise errors[int(job)]

    assert replies(fail, b"0", b"1", b"2", b"3") == [
        JobRefusal("validation_failed", "a[1] is wrong", [Detail(["a", 1], "is wrong")]),
        JobRefusal("payload_too_large", "too large", []),
        JobFailure("Unavailable('no')"),
        JobFailure("KeyError('x')"),
    ]


def test_it_ends_with_its_input_and_says_nothing() -> None:
    environment = dict(os.environ) | WITH_HARNESS
    done = subprocess.run(
        COMMAND, input=framed(encode(b"x")), env=environment, capture_output=True, timeout=PATIENCE, check=True
    )
    assert (done.stdout, done.stderr) == (framed(result(b"x")), b"")


def test_only_the_server_handles_an_interrupt_and_its_end_is_no_error() -> None:
    environment = dict(os.environ) | WITH_HARNESS
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(framed(encode(b"x")))
        process.stdin.flush()
        assert process.stdout.read(len(framed(result(b"x")))) == framed(result(b"x"))
        process.send_signal(signal.SIGINT)
        process.stdin.write(framed(encode(b"y")))
        process.stdin.flush()
        assert process.stdout.read(len(framed(result(b"y")))) == framed(result(b"y"))
        process.stdout.close()  # the server is gone
        process.stdin.write(framed(encode(b"z")))
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 0
