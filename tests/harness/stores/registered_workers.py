"""Workers in processes of their own that authenticate by the keys of one database, stopped or cut off by the test.

Each reads one command a line and answers each with a line.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.servers.child import WITH_HARNESS
from tallyroom.auth.api_keys import KeyCache
from tallyroom.cluster.postgresql import change_listener, change_wait, look_ups, worker_registry
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.peers import Worker


class RegisteredProcess:
    """A worker in a process of its own, whose spool has this number.

    Args:
        dsn: the database.
        number: the identity of its spool.
        lease: how long its lease is, in seconds, instead of as long as the product's.
    """

    def __init__(self, dsn: str, number: int, lease: float) -> None:
        words = [sys.executable, "-W", "error", "-m", "harness.stores.registered_workers", dsn, str(number), str(lease)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, env=os.environ | WITH_HARNESS, stdin=pipe, stdout=pipe, text=True)

    def say(self, command: str, *values: object) -> None:
        """Begin with a command."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps([command, *values]) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """What it answers to the first command that has no answer yet."""
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def do(self, command: str, *values: object) -> Any:
        self.say(command, *values)
        return self.answer()

    def halt(self, *, halted: bool) -> None:
        """Let it stand still, or go on."""
        self._process.send_signal(signal.SIGSTOP if halted else signal.SIGCONT)

    def kill(self) -> None:
        """End it, however it stands."""
        self._process.kill()
        with self._process:
            pass


@contextmanager
def registered(dsn: str, number: int, lease: float) -> Iterator[list[RegisteredProcess]]:
    """Workers that have joined."""
    processes = [RegisteredProcess(dsn, each, lease) for each in range(1, number + 1)]
    try:
        for process in processes:
            assert process.do("join") == "joined"
        yield processes
    finally:
        for process in processes:
            process.kill()


async def _answer_all(dsn: str, number: int) -> None:
    worker = Worker(f"worker-{number}-{os.getpid()}", number, "host", "settings")
    database = PostgresqlDatabase(dsn, worker)
    cache = KeyCache(database, SystemClock())
    while line := await asyncio.to_thread(sys.stdin.readline):
        command, *values = json.loads(line)
        print(json.dumps(await _do(database, cache, command, values)), flush=True)  # noqa: T201 # that is how it answers


async def _do(database: PostgresqlDatabase, cache: KeyCache, command: str, values: list[Any]) -> Any:
    assert database.registry is not None
    match command:
        case "join":
            await database.look_up("SELECT 1")
            while not database.registry.has_joined:  # noqa: ASYNC110 # nobody tells
                await asyncio.sleep(0.01)
            return "joined"
        case "cut off":
            _cut_off(database)
            return "cut off"
        case "authenticate":
            return [await _status(cache, secret) for secret in values]
        case "remembers":  # whether nothing had to be looked up
            return database.change_version("access") == database.change_version("access")
        case _:
            return command


def _cut_off(database: PostgresqlDatabase) -> None:
    """As if the link to the database were down: what is sent gets no answer, and no connection is made."""

    async def unreachable(*_: object, **__: object) -> Any:
        raise OSError("no route to host")

    for module in (change_listener, look_ups):
        vars(module)["connect"] = unreachable
    vars(database._look_up_pool)["fetch_rows"] = unreachable
    assert database.registry is not None
    vars(database.registry)["renew_lease"] = unreachable


async def _status(cache: KeyCache, secret: str) -> int:
    try:
        await cache.authenticate(f"Bearer {secret}".encode())
    except TallyroomError as error:
        return error.status
    except OSError:  # the look-up that is cut off
        return 503
    return 202


if __name__ == "__main__":
    worker_registry.LEASE_SECONDS = float(sys.argv[3])
    worker_registry.TRUST_SECONDS = 0.8 * worker_registry.LEASE_SECONDS
    change_wait._TIMEOUT_SECONDS = 60.0
    asyncio.run(_answer_all(sys.argv[1], int(sys.argv[2])))
