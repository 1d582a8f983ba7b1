"""Opens clients of a ClickHouse server."""

import logging
import socket

import clickhouse_connect
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.httputil import get_pool_manager

from tallyroom.core.event_server import EventServer, Login
from tallyroom.storage import lost_connections
from tallyroom.storage.event_store.backend.driver_errors import translate_driver_errors
from tallyroom.storage.event_store.backend.settings import EngineSettings

_CONNECT_SECONDS = 3
_POOL_MANAGER = get_pool_manager(
    socket_options=[*lost_connections.SOCKET_OPTIONS, (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
)

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
            pool_mgr=_POOL_MANAGER,
        )
