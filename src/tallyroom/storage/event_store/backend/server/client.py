"""Opens clients of a ClickHouse server."""

import logging
import socket
import threading
from typing import Any

import clickhouse_connect
import msgspec
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.httputil import get_pool_manager_options
from urllib3 import PoolManager
from urllib3.response import BaseHTTPResponse

from tallyroom.core.event_server import EventServer, Login
from tallyroom.storage import lost_connections
from tallyroom.storage.event_store.backend.driver_errors import translate_driver_errors
from tallyroom.storage.event_store.backend.settings import EngineSettings

_CONNECT_SECONDS = 3
_SOCKET_OPTIONS = [*lost_connections.SOCKET_OPTIONS, (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]


class _Summary(msgspec.Struct):
    read_rows: int = 0


class _CountingPool(PoolManager):
    """Remembers, by thread, how many rows the server read for the last answer; the driver does not return it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._thread_state = threading.local()

    @property
    def read_row_count(self) -> int:
        return getattr(self._thread_state, "read_row_count", 0)

    def urlopen(self, method: str, url: str, redirect: bool = True, **options: Any) -> BaseHTTPResponse:  # type: ignore[override] # noqa: FBT001, FBT002 # as it is in urllib3
        response = super().urlopen(method, url, redirect, **options)
        summary = msgspec.json.decode(response.headers.get("X-ClickHouse-Summary", "{}"), type=_Summary, strict=False)
        self._thread_state.read_row_count = summary.read_rows
        return response


_pool = _CountingPool(**get_pool_manager_options(socket_options=_SOCKET_OPTIONS))

# A command has no log, and Python would print the driver's log lines to standard error; the driver raises the same.
logging.getLogger(clickhouse_connect.__name__).addHandler(logging.NullHandler())


def open_client(server: EventServer, login: Login, settings: EngineSettings, timeout_seconds: int) -> Client:
    """Open a client without a session, on shared connections; `timeout_seconds` limits a pause in an answer."""
    with translate_driver_errors():
        return clickhouse_connect.get_client(
            host=server.host,
            port=server.port,
            secure=server.uses_tls,
            database=server.database,
            username=login.user,
            password=login.password,
            settings=dict(settings),
            compress=False,
            connect_timeout=_CONNECT_SECONDS,
            send_receive_timeout=timeout_seconds,
            autogenerate_session_id=False,
            client_name="tallyroom",
            pool_mgr=_pool,
        )


def last_read_row_count() -> int:
    """Return how many rows of tables the server read for the last answer in this thread; 0 if it did not say."""
    return _pool.read_row_count
