"""The parent of several workers on one host: it listens, and keeps its children running.

All children accept from the same sockets, so while one is being replaced, clients wait for the others.
"""

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from tallyroom.auth.metrics_guard import MetricsGuard
from tallyroom.core.data_directory import hold_directory
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.core.load_settings import SettingsError
from tallyroom.core.log import configure_logging
from tallyroom.core.settings import Settings
from tallyroom.server.announcement import Announcement, InitSystem
from tallyroom.server.protocol.sockets import open_listeners
from tallyroom.server.workers.folders import build_assignments, refuse_unshareable_data
from tallyroom.server.workers.gathered_metrics import GatheredMetrics
from tallyroom.server.workers.messages import Assignment, Heartbeat
from tallyroom.server.workers.metrics_server import MetricsServer
from tallyroom.server.workers.reserve import Reserve
from tallyroom.server.workers.supervisor import Supervisor

COMMAND = (sys.executable, "-m", "tallyroom.server.workers")

_MAX_TRIES, _RETRY_SECONDS = 10, 1.0  # by then, the lease has expired

_log = logging.getLogger(__name__)


class WorkersFailed(TallyroomError):
    """No worker can serve."""


def serve(
    settings: Settings,
    *,
    start_over: bool = False,
    accept_loss: bool = False,
    warnings: Sequence[str] = (),
    init_system: InitSystem | None = None,
) -> None:
    """Serve with several workers until a signal asks for a stop.

    `accept_loss` lets each worker continue without a lost spool. `warnings` are logged first. Raises `CannotListen`,
    `DataDirectoryInUse`, `DataDirectoryUnusable`, `SettingsError`, or `WorkersFailed` if no worker can start.
    """
    refuse_unshareable_data(settings)
    if start_over:
        raise SettingsError("--start-over is for a server that keeps all data in its directory; this one does not.")
    configure_logging(settings.log_level)
    for warning in warnings:
        _log.warning(warning)
    gc.enable()
    os.umask(0o077)  # as in each child
    with (
        open_listeners(settings.host, settings.port) as sockets,
        _open_metrics_listeners(settings) as metrics_sockets,
        hold_directory(settings.data_dir) as lock,
    ):
        descriptors = [listener.fileno() for listener in sockets]
        child_assignments = build_assignments(settings, lock.fileno(), descriptors, accept_loss=accept_loss)
        announcement = Announcement(settings, sockets, init_system or InitSystem(""))
        metrics_guard = MetricsGuard(settings)
        reserve = Reserve(COMMAND, [lock.fileno(), *descriptors], settings.workers)
        parent = Parent(
            child_assignments, reserve, settings.db_dsn, announcement, sockets, metrics_sockets, metrics_guard
        )
        asyncio.run(parent.run())


def _open_metrics_listeners(settings: Settings) -> AbstractContextManager[list[socket.socket]]:
    if not settings.metrics_port:
        return nullcontext([])
    return open_listeners(settings.host, settings.metrics_port, port_option="TALLYROOM_METRICS_PORT")


class Parent:
    """Starts the children, and stops on request, or when continuing is useless.

    `announcement` is made once all workers serve, except those that cannot. `db_dsn` has the lease of each worker.
    """

    def __init__(
        self,
        assignments: Sequence[Assignment],
        reserve: Reserve,
        db_dsn: str,
        announcement: Announcement,
        sockets: Sequence[socket.socket],
        metrics_sockets: Sequence[socket.socket] = (),
        metrics_guard: MetricsGuard | None = None,
    ) -> None:
        supervisors = [Supervisor(assignment, reserve, self._on_failure, self._on_loss) for assignment in assignments]
        self._serving_supervisors = [supervisor for supervisor in supervisors if supervisor.takes_requests]
        self._leftover_supervisors = [supervisor for supervisor in supervisors if not supervisor.takes_requests]
        self._metrics = MetricsServer(
            metrics_sockets, GatheredMetrics(supervisors).render_text, metrics_guard or MetricsGuard(Settings())
        )
        self._reserve = reserve
        self._db_dsn = db_dsn
        self._announcement = announcement
        self._sockets = sockets
        self._supervisor_tasks: list[asyncio.Task[None]] = []
        self._lease_tasks: set[asyncio.Task[None]] = set()
        self._end_event = asyncio.Event()
        self._replacement_task: asyncio.Task[None] | None = None
        self._have_all_started = self._is_replacement_asked = False
        self._failure_reason = ""

    async def run(self) -> None:
        """Serve until a signal asks for a stop; SIGHUP replaces the children one by one. Raises `WorkersFailed`."""
        loop = asyncio.get_running_loop()
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signal_number, self._handle_stop_signal, signal_number)
        loop.add_signal_handler(signal.SIGHUP, self._begin_replacement)
        await self._metrics.open()
        start_task = asyncio.create_task(self._start_all())
        await self._end_event.wait()
        for task in (start_task, self._replacement_task):
            if task is not None:
                task.cancel()
        self._announcement.note_stopping()
        for listener in self._sockets:  # so that clients are refused, instead of waiting for an accept
            listener.close()
        self._stop_all(signal.SIGTERM)
        await self._reserve.empty()
        outcomes = await asyncio.gather(start_task, *self._supervisor_tasks, *self._lease_tasks, return_exceptions=True)
        self._metrics.close()
        for error in outcomes:
            if isinstance(error, Exception):
                raise error
        if self._failure_reason:
            raise WorkersFailed(self._failure_reason)

    async def _start_all(self) -> None:
        """Start one child first, because it may have to create or upgrade what all of them share; then the others."""
        first_supervisor, *other_supervisors = self._serving_supervisors
        self._start_supervisor(first_supervisor)
        await first_supervisor.serving_event.wait()
        for supervisor in (*other_supervisors, *self._leftover_supervisors):
            self._start_supervisor(supervisor)
        for supervisor in other_supervisors:
            await supervisor.begun_event.wait()
        self._have_all_started = True
        self._announcement.note_started(is_owned=first_supervisor.is_owned)

    def _start_supervisor(self, supervisor: Supervisor) -> None:
        task = asyncio.create_task(supervisor.run())
        task.add_done_callback(lambda finished_task: self._end_event.set() if finished_task.exception() else None)
        self._supervisor_tasks.append(task)

    def _handle_stop_signal(self, signal_number: signal.Signals) -> None:
        if self._end_event.is_set() and signal_number == signal.SIGINT:
            self._stop_all(signal_number)
        self._end_event.set()

    def _stop_all(self, signal_number: signal.Signals) -> None:
        for supervisor in (*self._serving_supervisors, *self._leftover_supervisors):
            supervisor.stop(signal_number)

    def _begin_replacement(self) -> None:
        """Begin to replace each child; if a replacement is in progress, repeat it: the program may have changed."""
        self._is_replacement_asked = self._have_all_started
        if self._replacement_task is None or self._replacement_task.done():
            self._replacement_task = asyncio.create_task(self._replace_one_by_one())

    async def _replace_one_by_one(self) -> None:
        while self._is_replacement_asked:
            self._is_replacement_asked = False
            await self._reserve.empty()
            for supervisor in self._serving_supervisors:
                if not await supervisor.replace():
                    return
            _log.info("each worker was replaced")

    def _on_failure(self, supervisor: Supervisor) -> None:
        """Give up if no child serves, and one cannot start at all or none can any more."""
        if self._have_all_started:
            is_over = all(worker.is_hopeless for worker in self._serving_supervisors)
        else:
            is_over = supervisor.takes_requests and (supervisor.is_refused or supervisor.is_hopeless)
        if (
            is_over
            and not self._end_event.is_set()
            and not any(worker.serving_event.is_set() for worker in self._serving_supervisors)
        ):
            self._failure_reason = supervisor.failure_reason
            self._end_event.set()

    def _on_loss(self, last_heartbeat: Heartbeat) -> None:
        task = asyncio.create_task(self._end_lease(last_heartbeat))
        self._lease_tasks.add(task)
        task.add_done_callback(self._lease_tasks.discard)

    async def _end_lease(self, last_heartbeat: Heartbeat) -> None:
        end_lease = await asyncio.to_thread(_load_lease_end)
        for _ in range(_MAX_TRIES):
            try:
                await end_lease(self._db_dsn, last_heartbeat.spool, last_heartbeat.worker)
            except Unavailable:
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return


def _load_lease_end() -> Callable[[str, int, str], Awaitable[None]]:
    """Load what only the loss of a child needs, because the parent starts in a third of the time without it."""
    from tallyroom.cluster.postgresql.worker_registry import end_lease  # noqa: PLC0415 # SQLAlchemy and the driver

    return end_lease
