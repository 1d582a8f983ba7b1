"""A child of `harness.servers.toy_parent` that serves at once: it answers each connection with its name and process id.

Through its control socket, it tells one number: its process id. The word in the file `fault` of its directory makes it
refuse to start, find that a server is away, wait for that server until the file has another word, die at its start, only note that it is to stop, until SIGINT, or say that
its server has an owner. A client that sends "hang" makes its event loop hang.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec

from tallyroom.core.data_directory import CONTROL_SOCKET
from tallyroom.operations.control_socket.wire import ControlReply, ControlRequest, shorten_socket_path
from tallyroom.server.workers.child import hold_assigned_directory, wait_for_assignment
from tallyroom.server.workers.lifeline import Lifeline
from tallyroom.server.workers.messages import Assignment

HANGS_SECONDS = 600


async def _serve(assignment: Assignment, lifeline: Lifeline, fault: str) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, stopping.set)
    servers: list[asyncio.Server] = []

    def stop() -> None:
        for server in servers:
            server.close()
        if fault == "stay":
            (assignment.settings.data_dir / "asked").touch()
        else:
            stopping.set()

    loop.add_signal_handler(signal.SIGTERM, stop)
    lifeline.note_opened("", 0, stop, stop)
    servers += [
        await asyncio.start_server(_answer(assignment.name), sock=socket.socket(fileno=number))
        for number in assignment.sockets
    ]
    control = assignment.settings.data_dir / CONTROL_SOCKET
    control.unlink(missing_ok=True)
    with shorten_socket_path(control) as path:
        servers.append(await asyncio.start_unix_server(_tell(assignment.name), path))
    lifeline.note_started(is_owned=fault == "owned")
    await stopping.wait()
    for server in servers:
        server.close()
    (assignment.settings.data_dir / "stopped").touch()


def _answer(name: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readline()
        writer.write(f"{name} {os.getpid()}\n".encode())
        await writer.drain()
        writer.close()
        if asked == b"hang\n":
            time.sleep(HANGS_SECONDS)  # noqa: ASYNC251 # on purpose

    return answer


def _tell(name: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]:
    numbers = f'# HELP toy_pid Of a toy.\n# TYPE toy_pid gauge\ntoy_pid{{spool="{name}"}} {os.getpid()}\n'

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert msgspec.json.decode(await reader.readline(), type=ControlRequest).ask == "numbers"
        writer.write(msgspec.json.encode(ControlReply(msgspec.Raw(msgspec.json.encode(numbers)))) + b"\n")
        writer.close()

    return tell


def _main() -> None:
    heartbeats, *descriptors = map(int, sys.argv[1:])
    lifeline = Lifeline(heartbeats)
    assignment = wait_for_assignment(descriptors)
    data: Path = assignment.settings.data_dir
    data.mkdir(parents=True, exist_ok=True)
    fault = (data / "fault").read_text() if (data / "fault").exists() else ""
    with (data / "starts").open("a") as starts:
        starts.write(f"{os.getpid()}\n")
    if fault == "refuse":
        lifeline.refuse("The toy does not want to.")
        sys.exit(1)
    if fault == "away":
        lifeline.refuse("The database does not answer.", is_passing=True)
        sys.exit(1)
    while fault == "wait":
        lifeline.refuse("The database does not answer.", is_passing=True)
        time.sleep(0.02)
        fault = (data / "fault").read_text()
    if fault == "die":
        sys.exit(3)
    if assignment.is_successor:
        lifeline.note_prepared()
    with hold_assigned_directory(assignment):
        asyncio.run(_serve(assignment, lifeline, fault))


if __name__ == "__main__":
    _main()
