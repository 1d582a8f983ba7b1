"""A child: a whole server on a directory of its own that serves at its parent's sockets, or at none."""

import fcntl
import gc
import signal
import socket
import sys
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path

from tallyroom.core.data_directory import hold
from tallyroom.core.errors import ServerAway, TallyroomError
from tallyroom.workers.lifeline import Lifeline
from tallyroom.workers.messages import Assignment, read_assignment
from tallyroom.workers.neighbors import Neighbors


def main() -> None:
    """Do what the parent writes to the standard input."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # only the parent handles it
    assignment = read_assignment(sys.stdin.buffer.readline())
    for inherited in (assignment.heartbeats, assignment.lock, *assignment.sockets):
        fcntl.fcntl(inherited, fcntl.F_SETFD, fcntl.FD_CLOEXEC)  # processes of this one have nothing to do with them
    lifeline = Lifeline(assignment.heartbeats)
    try:
        _work(assignment, lifeline)
    except TallyroomError as error:
        lifeline.refuse(error.message, is_passing=isinstance(error, ServerAway))
        sys.exit(1)
    except OSError as error:
        lifeline.refuse(f"{error.strerror or error}{f' ({error.filename})' if error.filename else ''}.")
        sys.exit(1)


def _work(assignment: Assignment, lifeline: Lifeline) -> None:
    gc.disable()  # until the server listens, as in the command
    from tallyroom import server  # noqa: PLC0415 # loading it takes most of a start

    settings = assignment.settings
    server.prepare(settings, worker=assignment.name)
    with _held(assignment):
        services = server.open_directory(settings, accept_loss=assignment.accept_loss)
        neighbors = Neighbors(settings.data_dir, [*map(Path, assignment.neighbors)], services.reader.caught_up)
        services.reader.caught_up, lifeline.on_open = neighbors.caught_up, neighbors.listen
        with closing(neighbors):
            server.run(services, [socket.socket(fileno=number) for number in assignment.sockets], lifeline)


def _held(assignment: Assignment) -> AbstractContextManager[object]:
    return nullcontext() if assignment.is_locked else hold(assignment.settings.data_dir)
