"""A worker process for tests: it sends a job back, or does what the job says."""

import os
import time

import msgspec

from tallyroom.core.errors import PayloadTooLarge
from tallyroom.core.worker import serve_jobs

PID, SLEEP, DIE, REFUSE, FAIL = b"pid", b"sleep", b"die", b"refuse", b"fail"


def answer(written: bytes) -> bytes:
    job: bytes = msgspec.msgpack.decode(written, type=bytes)
    if job == SLEEP:
        time.sleep(3600)
    if job == DIE:
        os._exit(1)
    if job == REFUSE:
        raise PayloadTooLarge("It is too large.")
    if job == FAIL:
        raise KeyError(job)
    return str(os.getpid()).encode() if job == PID else job


if __name__ == "__main__":
    serve_jobs(answer)
