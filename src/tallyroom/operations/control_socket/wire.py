"""The messages of the control socket: a request is a JSON line; its answers are JSON lines, all but the last `more`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec

_MAX_NAME_BYTES = 100  # bytes of a socket's name: Linux accepts 107, macOS 103


class ControlRequest(msgspec.Struct, forbid_unknown_fields=True):
    """One method of `backup.store_access.StoreAccess`, or the numbers of `/metrics`."""

    ask: Literal["freeze", "release", "thaw", "condition", "check", "numbers"]


class ControlReply(msgspec.Struct, omit_defaults=True):
    """What the method returned, or one item of it, or why it failed."""

    value: msgspec.Raw = msgspec.Raw(b"null")
    error: str = ""
    more: bool = False


@contextmanager
def shorten_socket_path(path: Path) -> Iterator[str]:
    """Provide a name for `path` that fits into a socket's address, however deep the directory is, while the block runs.

    On systems without `/proc`, a path that is too long stays too long, and the system refuses it.
    """
    socket_name = str(path.absolute())
    if len(os.fsencode(socket_name)) <= _MAX_NAME_BYTES or not Path("/proc/self/fd").is_dir():
        yield socket_name
        return
    folder_descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder_descriptor}/{path.name}"
    finally:
        os.close(folder_descriptor)
