"""Runs the server: listens, holds the data directory, and stops without losing anything."""

import asyncio
import gc
import logging
import os
import signal
import socket
import sqlite3
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import FrameType

import uvicorn

from tallyroom import __version__
from tallyroom.app import build_app
from tallyroom.backup.local_store_access import LocalStoreAccess
from tallyroom.control_socket.listener import ControlSocket
from tallyroom.core import failpoints
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import hold, unusable
from tallyroom.core.host_names import bracketed
from tallyroom.core.init_system import READY, STOPPING, InitSystem
from tallyroom.core.log import configure_logging
from tallyroom.core.memory import Relief, give_back
from tallyroom.core.settings import Settings
from tallyroom.installation.aside import set_everything_aside
from tallyroom.protocol.allowance import Allowance
from tallyroom.protocol.short_way import Protocol
from tallyroom.protocol.sockets import listening
from tallyroom.protocol.turns import Turns
from tallyroom.rest.hosts import check_platforms
from tallyroom.services import Services, open_services
from tallyroom.store.backend.embedded.resident import give_back_code
from tallyroom.store.errors import StoreError

_SWITCH_SECONDS = 0.0001  # Python's own is 0.005: how long one thread waits for another that computes, each time
_GARBAGE_THRESHOLDS = (10_000, 5, 50)
"""How many new objects there are between two searches for garbage among the young, the middle-aged and all.

Python's own, 700, 10 and 10, look through all objects of a large body several times while it is read, each time for
up to 40 ms; with these, no body is large enough to cause a search of all, and the others take 5.
"""
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

    Args:
        settings: the settings of the server.
        start_over: set everything in the data directory aside, and start empty.
        accept_loss: continue without a lost spool, event store, part of the store, or key file.
        warnings: lines to log first.
        init_system: whom to tell when the server listens, and when it stops; nobody if None.

    Raises:
        CannotListen: the address is not available; nothing was made.
        DataDirectoryInUse: another server holds the directory.
        DataDirectoryUnusable: something in it cannot be opened, or its parts do not belong together.
        SettingsError: a platform of the statistics is a path of the server's own; nothing was made.
        TallyroomError: the directory was written by a newer version.
    """
    check_platforms(settings.platforms)
    configure_logging(settings.log_level)
    for warning in warnings:
        _log.warning(warning)
    os.umask(0o077)  # only the owner may access files that the engine and SQLite create
    sys.setswitchinterval(_SWITCH_SECONDS)
    with listening(settings.host, settings.port) as sockets, hold(settings.data_dir):
        if start_over:
            _start_over(settings.data_dir)
        services = _open(settings, accept_loss=accept_loss)
        app = build_app(services)
        config = uvicorn.Config(
            app,
            loop="uvloop",
            http=partial(Protocol, app.direct, Allowance(settings.requests_max_bytes, Relief(give_back).soon), Turns()),  # type: ignore[arg-type] # uvicorn calls it like a class
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        _Server(config, services, init_system or InitSystem("")).run(sockets)
    if services.reader.abandoned:
        _end_at_once()


def _end_at_once() -> None:
    """End the process even though a query runs that cannot be stopped; a normal exit would wait for it.

    All that matters is on disk, and the engine has released what it can.
    """
    logging.getLogger(__name__).warning("the server ends although a query still runs")
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)


def _start_over(data: Path) -> None:
    if folder := set_everything_aside(data, SystemClock()):
        sys.stdout.write(f"What {data} held is in {folder}; nothing was deleted.\n")


def _open(settings: Settings, *, accept_loss: bool) -> Services:
    try:
        return open_services(settings, accept_loss=accept_loss)
    except (OSError, sqlite3.Error, StoreError) as error:
        raise unusable(settings.data_dir, error) from error


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, services: Services, init_system: InitSystem) -> None:
        super().__init__(config)
        self._services = services
        self._init_system = init_system
        data = services.settings.data_dir
        access = LocalStoreAccess(
            data,
            services.spool,
            services.writer,
            services.drain,
            services.outbox,
            services.soundness,
        )
        self._control = ControlSocket(data, access)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            # The objects made during startup stay forever: scanning them for garbage again and again took a sixth of
            # the loop's time under load.
            gc.collect()
            gc.freeze()
            gc.set_threshold(*_GARBAGE_THRESHOLDS)
            gc.enable()  # the command turned it off for the start
            give_back_code()
            self._control.open()
            self._announce()
            self._init_system.tell(READY)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._init_system.tell(STOPPING)
        self._services.closing.set()
        await asyncio.to_thread(self._control.close)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, _frame: FrameType | None) -> None:
        """Stop in an orderly way, with exit status 0; a second Ctrl-C does not wait for requests."""
        self._services.stopping.set()
        failpoints.release()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    def _announce(self) -> None:
        port = self.servers[0].sockets[0].getsockname()[1]
        address = f"http://{bracketed(self._services.settings.host)}:{port}"
        sys.stdout.write(
            f"Tallyroom {__version__} listens on {address} and keeps its data in {self._services.settings.data}\n"
            f"Next: open {address} - it says how to send the first event.\n"
        )
        sys.stdout.flush()
