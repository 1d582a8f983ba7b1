"""A child: a whole server on a separate directory that serves on its parent's sockets, or on none."""

import fcntl
import gc
import logging
import os
import select
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tallyroom.core.data_directory import SPOOL_FILE, DataDirectoryInUse, hold_directory
from tallyroom.core.errors import ServerAway, TallyroomError
from tallyroom.server.workers.lifeline import Lifeline
from tallyroom.server.workers.messages import Assignment, read_assignment
from tallyroom.server.workers.neighbors import Neighbors

if TYPE_CHECKING:
    from tallyroom.server.services import Services

_HOLD_RETRY_SECONDS = 0.02  # between two attempts to hold a directory that another child still has
_SERVER_RETRY_SECONDS = 0.5  # between two attempts to reach a server

_log = logging.getLogger(__name__)


def main() -> None:
    """Load the program, and execute the assignment that the parent writes to the standard input.

    The arguments are the file descriptors for the heartbeats, and for everything that an assignment may name.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # only the parent handles it
    descriptors = [int(argument) for argument in sys.argv[1:]]
    for descriptor in descriptors:
        fcntl.fcntl(descriptor, fcntl.F_SETFD, fcntl.FD_CLOEXEC)  # not inherited by processes that this one starts
    heartbeats, *assignable_descriptors = descriptors
    lifeline = Lifeline(heartbeats)
    gc.disable()  # until the server listens, as in the command
    _load_program()
    assignment = wait_for_assignment(assignable_descriptors)
    try:
        _serve_assignment(assignment, lifeline)
    except TallyroomError as error:
        lifeline.refuse(error.message, is_passing=isinstance(error, ServerAway))
        sys.exit(1)
    except OSError as error:
        lifeline.refuse(f"{error.strerror or error}{f' ({error.filename})' if error.filename else ''}.")
        sys.exit(1)


def _load_program() -> None:
    """Load everything that a worker needs, which takes most of a start."""
    from tallyroom.server import opening, serve  # noqa: F401, PLC0415 # after the first heartbeat
    from tallyroom.storage.event_store.backend.opening import load_server_backend  # noqa: PLC0415 # as above

    load_server_backend()
    with suppress(ImportError):  # without the `cluster` extra; the start reports this
        from tallyroom.server.workers import drivers  # noqa: F401, PLC0415 # as above


def wait_for_assignment(descriptors: Sequence[int]) -> Assignment:
    """Return the assignment, and close the descriptors that it does not name; exit if the parent ends first."""
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit()
    assignment = read_assignment(line)
    for descriptor in set(descriptors) - {assignment.lock, *assignment.sockets}:
        os.close(descriptor)
    with suppress(OSError):  # only Linux has it
        Path("/proc/self/comm").write_text(f"tallyroom-{assignment.name}", encoding="ascii")  # for ps and top
    return assignment


def _serve_assignment(assignment: Assignment, lifeline: Lifeline) -> None:
    from tallyroom.server import opening, serve  # noqa: PLC0415 # they are loaded

    settings = assignment.settings
    serve.prepare(settings, worker=assignment.name)
    if assignment.is_successor:
        opening.rehearse_start(settings)
        lifeline.note_prepared()
    with hold_assigned_directory(assignment):
        services = _open_when_servers_answer(assignment, lifeline)
        neighbors = Neighbors(settings.data_dir, [*map(Path, assignment.neighbors)], services.reader.wait_caught_up)
        services.reader.wait_caught_up, lifeline.on_open = neighbors.wait_caught_up, neighbors.listen
        with closing(neighbors):
            serve.run(services, [socket.socket(fileno=descriptor) for descriptor in assignment.sockets], lifeline)


@contextmanager
def hold_assigned_directory(assignment: Assignment) -> Iterator[None]:
    """Hold the directory while the block runs; a successor waits until the previous child has ended."""
    with ExitStack() as stack:
        while not assignment.is_locked:
            try:
                stack.enter_context(hold_directory(assignment.settings.data_dir))
                break
            except DataDirectoryInUse:
                if not assignment.is_successor or _is_parent_gone(_HOLD_RETRY_SECONDS):
                    raise
        yield


def _open_when_servers_answer(assignment: Assignment, lifeline: Lifeline) -> "Services":
    """Open the directory; retry while a server that has answered before does not answer.

    The program is already loaded, so the worker serves soon after the outage. Raises `ServerAway` if the directory is
    new, or the parent is gone.
    """
    from tallyroom.server import serve  # noqa: PLC0415 # as above

    reason = ""
    while True:
        try:
            return serve.open_directory(assignment.settings, accept_loss=assignment.accept_loss)
        except ServerAway as error:
            if not (assignment.settings.data_dir / SPOOL_FILE).exists():
                raise
            if error.message != reason:
                reason = error.message
                _log.warning("a worker is waiting for a server", extra={"reason": reason})
                lifeline.refuse(reason, is_passing=True)
            if _is_parent_gone(_SERVER_RETRY_SECONDS):
                raise


def _is_parent_gone(seconds: float) -> bool:
    """Wait for `seconds`, and return whether the standard input has ended."""
    readable, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(readable)
