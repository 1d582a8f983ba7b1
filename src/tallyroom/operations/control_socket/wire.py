"""The messages of the control socket: a request is a JSON line; its answers are JSON lines, all but the last `more`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec

_MAX_NAME_BYTES = 100  # the name of a socket: Linux accepts 107 bytes, macOS 103


class ControlRequest(msgspec.Struct, forbid_unknown_fields=True):
    """One method of `backup.store_access.StoreAccess`, or the metrics of `/metrics`."""

    ask: Literal["freeze", "release", "thaw", "condition", "check", "numbers"]


class ControlReply(msgspec.Struct, omit_defaults=True):
    """The result of the method, one item of it, or the error."""

    value: msgspec.Raw = msgspec.Raw(b"null")
    error: str = ""
    more: bool = False


@contextmanager
def shorten_socket_path(path: Path) -> Iterator[str]:
    """Provide a name for `path` that fits into a socket's address; without `/proc`, a long path is not shortened."""
    socket_name = str(path.absolute())
    if len(os.fsencode(socket_name)) <= _MAX_NAME_BYTES or not Path("/proc/self/fd").is_dir():
        yield socket_name
        return
    folder_descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder_descriptor}/{path.name}"
    finally:
        os.close(folder_descriptor)
