"""The client of a process that watches a server: fetches its metrics on an event loop, with minimal imports."""

import asyncio
from pathlib import Path

import msgspec

from tallyroom.core.data_directory import CONTROL_SOCKET
from tallyroom.operations.control_socket.wire import ControlReply, ControlRequest, shorten_socket_path

_MAX_REPLY_BYTES = 4_000_000


async def fetch_metrics(data_dir: Path, timeout_seconds: float) -> str | None:
    """Return the `/metrics` text of the server on a data directory; None if it does not answer in time."""
    try:
        async with asyncio.timeout(timeout_seconds):
            reply = msgspec.json.decode(await _request_metrics(data_dir), type=ControlReply)
            return None if reply.error else msgspec.json.decode(reply.value, type=str)
    except (OSError, ValueError, msgspec.DecodeError):  # the server is gone, hangs, or ended while it answered
        return None


async def _request_metrics(data_dir: Path) -> bytes:
    with shorten_socket_path(data_dir / CONTROL_SOCKET) as name:
        reader, writer = await asyncio.open_unix_connection(name, limit=_MAX_REPLY_BYTES)
    try:
        writer.write(msgspec.json.encode(ControlRequest("numbers")) + b"\n")
        return await reader.readline()
    finally:
        writer.close()
