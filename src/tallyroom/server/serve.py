"""Runs the server: listens, holds the data directory, and stops without losing anything."""

import asyncio
import gc
import logging
import os
import signal
import socket
import sqlite3
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Protocol

import uvicorn

from tallyroom.auth.look_ups import has_any_user
from tallyroom.core import failpoints
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import build_unusable_error, hold_directory
from tallyroom.core.errors import Unavailable
from tallyroom.core.log import configure_logging
from tallyroom.core.memory import MemoryRelief, release_memory
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.local_store_access import LocalStoreAccess
from tallyroom.operations.control_socket.listener import ControlSocket
from tallyroom.operations.installation.quarantine import quarantine_all
from tallyroom.rest.body_families import BodyFamilies
from tallyroom.rest.hosts import check_platforms
from tallyroom.server import open_files
from tallyroom.server.announcement import Announcement, InitSystem
from tallyroom.server.app import build_app
from tallyroom.server.opening import open_services
from tallyroom.server.protocol.backlog import Backlogs
from tallyroom.server.protocol.direct_routes import DirectRoutes
from tallyroom.server.protocol.fair_turns import ChunkTurns
from tallyroom.server.protocol.lifetime import Lifetime
from tallyroom.server.protocol.memory_quota import Allowance
from tallyroom.server.protocol.shortcut import ShortcutProtocol as Connection
from tallyroom.server.protocol.sockets import open_listeners
from tallyroom.server.services import Services
from tallyroom.server.system.metrics import Metrics
from tallyroom.storage.event_store.backend.embedded.resident import give_back_code
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.metadata.connection import Database

_SWITCH_SECONDS = 0.0001  # how long a thread waits for another that computes, each time; Python's default is 0.005
_GARBAGE_THRESHOLDS = (10_000, 5, 50)
"""The number of new objects between two garbage collections of the young, the middle-aged and all objects.

Python's defaults, 700, 10 and 10, scan all objects of a large body several times while it is read, for up to 40 ms
each. With these values, no body is large enough to cause a full collection, and the others take 5 ms.
"""
_METRICS_TIMEOUT_SECONDS = 10.0
_GRACE_SECONDS = 10  # how long a stop waits for running requests

_log = logging.getLogger("tallyroom.server")


def serve(
    settings: Settings,
    *,
    start_over: bool = False,
    accept_loss: bool = False,
    warnings: Sequence[str] = (),
    init_system: InitSystem | None = None,
) -> None:
    """Serve until a signal asks the server to stop.

    `start_over` sets everything in the data directory aside. `accept_loss` continues without a lost part. `warnings`
    are logged first. Raises `CannotListen` or `SettingsError` before anything is created, and `DataDirectoryInUse`,
    `DataDirectoryUnusable`, or `TallyroomError` for a newer version's directory.
    """
    prepare(settings, warnings)
    with open_listeners(settings.host, settings.port) as sockets, hold_directory(settings.data_dir):
        if start_over:
            _start_over(settings.data_dir)
        services = open_directory(settings, accept_loss=accept_loss)
        run(services, sockets, Announcement(settings, sockets, init_system or InitSystem("")))


def prepare(settings: Settings, warnings: Sequence[str] = (), worker: str = "") -> None:
    """Prepare this process for being a server; must be called first. Raises `SettingsError` for a reserved platform."""
    check_platforms(settings.platforms)
    configure_logging(settings.log_level, worker)
    for warning in warnings:
        _log.warning(warning)
    open_files.raise_limit()
    os.umask(0o077)  # only the owner may access files that the engine and SQLite create
    sys.setswitchinterval(_SWITCH_SECONDS)


class ServerObserver(Protocol):
    """Observes the start and stop of a server; called on the event loop."""

    def note_opened(
        self, worker_id: str, spool_id: int, stop: Callable[[], object], hand_over: Callable[[], object]
    ) -> None:
        """Called when everything is open; `hand_over` leaves the queue to a process that waits for the directory."""

    def note_started(self, *, is_owned: bool) -> None:
        """Called when the server accepts requests; `is_owned` says whether anyone has signed up yet."""

    def note_stopping(self) -> None:
        """Called when the server begins to stop."""


def run(services: Services, sockets: list[socket.socket], observer: ServerObserver) -> None:
    """Serve on these sockets until a signal asks the server to stop, and close everything."""
    settings, app = services.settings, build_app(services)
    lifetime, body_families = Lifetime() if settings.workers > 1 else None, BodyFamilies(settings.platforms)
    allowance = Allowance(settings.requests_max_bytes, body_families, MemoryRelief(release_memory).schedule)
    backlogs = Backlogs(settings.answers_max_bytes)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=partial(Connection, DirectRoutes(app.direct_handlers), allowance, backlogs, ChunkTurns(), lifetime),  # type: ignore[arg-type] # uvicorn calls it like a class
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=settings.keep_alive_seconds,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    _Server(config, services, observer, app.metrics).run(sockets)
    if refusal := services.admission.refusal:
        raise refusal
    if services.reader.is_abandoned:
        _end_at_once()


def _end_at_once() -> None:
    """End the process although a query cannot be stopped; all data is on disk, and a normal exit would wait."""
    logging.getLogger(__name__).warning("the server exits while a query is still running")
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)


def _start_over(data_dir: Path) -> None:
    if folder := quarantine_all(data_dir, SystemClock()):
        sys.stdout.write(f"The previous contents of {data_dir} are in {folder}; nothing was deleted.\n")


def open_directory(settings: Settings, *, accept_loss: bool) -> Services:
    """Open the data directory, which this process holds; raises the same errors as `serve`."""
    try:
        return open_services(settings, accept_loss=accept_loss)
    except (OSError, sqlite3.Error, StoreError) as error:
        raise build_unusable_error(settings.data_dir, error) from error


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, services: Services, observer: ServerObserver, metrics: Metrics) -> None:
        super().__init__(config)
        self._metrics = metrics
        self._services = services
        self._observer = observer
        data_dir = services.settings.data_dir
        store_access = LocalStoreAccess(
            data_dir,
            services.spool,
            services.writer,
            services.drain,
            services.listing_outbox,
            services.completeness_check,
        )
        self._control_socket = ControlSocket(data_dir, store_access, self._render_metrics)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        services = self._services
        stop = partial(self.handle_exit, signal.SIGTERM, None)
        self._loop = asyncio.get_running_loop()
        services.admission.call_on_refusal(stop)
        self._observer.note_opened(services.database.peers.worker_id(), services.spool.identity, stop, self._hand_over)
        await super().startup(sockets)
        if self.started:
            # The objects made during startup are never freed: scanning them for garbage repeatedly took a sixth of the
            # loop's time under load. One in 150 is garbage, not worth a scan that takes a tenth of a start.
            gc.freeze()
            gc.set_threshold(*_GARBAGE_THRESHOLDS)
            gc.enable()  # the command disabled it for the start
            give_back_code()
            self._control_socket.open()
            self._observer.note_started(is_owned=await _is_owned(services.database))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._observer.note_stopping()
        self._services.closing.set()
        await asyncio.to_thread(self._control_socket.close)
        await super().shutdown(sockets)

    def _render_metrics(self) -> str:
        """Return the text of `/metrics`, rendered on the event loop, where its numbers change."""
        text_future = asyncio.run_coroutine_threadsafe(_render_text(self._metrics), self._loop)
        return text_future.result(_METRICS_TIMEOUT_SECONDS)

    def _hand_over(self) -> None:
        self._services.has_successor = True
        self.handle_exit(signal.SIGTERM, None)

    def handle_exit(self, sig: int, _frame: FrameType | None) -> None:
        """Stop in an orderly way, with exit status 0; a second Ctrl-C does not wait for requests."""
        self._services.stopping.set()
        failpoints.release()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


async def _is_owned(database: Database) -> bool:
    """Return whether anyone has signed up; True if that cannot be read now."""
    try:
        return await has_any_user(database)
    except Unavailable:
        return True


async def _render_text(metrics: Metrics) -> str:
    return metrics.render_text().decode()
