"""Named places where a test may cause a fault (``TALLYROOM_FAILPOINTS=store.insert=block``).

Actions: ``kill`` ends the process as `kill -9` would, ``error`` raises, ``block`` waits for ever, ``block:5`` waits
five seconds once. ``@3`` after an action waits for the third time the place is reached: ``spool.commit.after=kill@3``.
Outside a test there are no failpoints and `hit` is one look-up in an empty dictionary.
"""

import os
import re
import signal
import threading
import time
from dataclasses import dataclass

from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import SettingsError

FAILPOINTS = frozenset(
    {
        "start.begin.after",  # the metadata says which epoch begins, the spool and the event store do not
        "start.spool.after",  # the spool has reached it, too
        "start.store.after",  # all have, the metadata does not know
        "spool.commit.before",  # the group is built, its commit not yet begun
        "spool.commit.after",  # durable, nobody told
        "drain.claim.after",  # the range is recorded, nothing inserted
        "store.insert",  # before a block goes to the store
        "store.insert.after",  # the store has the block, the spool does not know
        "drain.mark.after",  # the range is marked as stored
        "export.slice",  # before an export reads its next slice
        "feed.commit.after",  # what was fed to a listing is durable, nobody told
        "feed.insert",  # before what was fed goes to the store
        "feed.insert.after",  # the store has it, the outbox does not know
        "backup.freeze.after",  # the store is frozen, the drain held, nothing copied
        "backup.copy",  # in the command: the drain goes on, there is room, nothing copied
    }
)

_RULE = re.compile(r"(?P<name>[a-z.]+)=(?P<action>kill|error|block)(:(?P<seconds>\d+(\.\d+)?))?(@(?P<nth>\d+))?")


class InjectedFault(TallyroomError):
    """The fault that the action ``error`` causes."""


@dataclass
class _Failpoint:
    action: str
    seconds: float
    countdown: int


_active: dict[str, _Failpoint] = {}
_released = threading.Event()


def configure(spec: str) -> None:
    """Replace the active failpoints by `spec`, a comma-separated list; an empty text clears them.

    Raises:
        SettingsError: a name or an action is unknown.
    """
    _active.clear()
    _released.clear()
    for part in filter(None, (piece.strip() for piece in spec.split(","))):
        found = _RULE.fullmatch(part)
        if found is None or found["name"] not in FAILPOINTS:
            raise SettingsError(f"TALLYROOM_FAILPOINTS: {part!r} is not one of the failpoints and actions.")
        _active[found["name"]] = _Failpoint(found["action"], float(found["seconds"] or 0), int(found["nth"] or 1))


def release() -> None:
    """Let everything go that waits in a ``block``; a stopping server calls it."""
    _released.set()


def hit(name: str) -> None:
    """Cause the fault that was asked for at `name`, if any.

    Raises:
        InjectedFault: for the action ``error``.
    """
    point = _active.get(name)
    if point is None:
        return
    point.countdown -= 1
    if point.countdown > 0:
        return
    if point.action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(60)
    if point.action == "error":
        raise InjectedFault(f"injected fault at {name}")
    if point.seconds:
        del _active[name]
        _released.wait(point.seconds)
    else:
        _released.wait()
