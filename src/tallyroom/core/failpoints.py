"""Named places in the code where a test can cause a fault (``TALLYROOM_FAILPOINTS=store.insert=block``).

Actions: ``kill`` as `kill -9` does, ``error`` raises, ``block`` waits forever, ``block:5`` waits five seconds once.
With ``@3`` after it, an action begins the third time.
"""

import os
import re
import signal
import threading
import time
from dataclasses import dataclass

from tallyroom.core.errors import TallyroomError
from tallyroom.core.load_settings import SettingsError

FAILPOINTS = frozenset(
    {
        "start.begin.after",  # the metadata knows which epoch begins; the spool and the event store do not
        "start.spool.after",  # the spool has reached the epoch, too
        "start.store.after",  # all parts have reached it, but the metadata does not know
        "spool.commit.before",  # the group is built, but its commit has not begun
        "spool.commit.after",  # the events are durable, but not acknowledged
        "drain.claim.after",  # the range is recorded, but nothing is inserted
        "store.insert",  # before a block goes to the store
        "store.insert.after",  # the store has the block, but the spool does not know
        "drain.mark.after",  # the range is marked as stored
        "export.slice",  # before an export reads its next slice
        "feed.commit.after",  # what was fed to a listing is durable, but not acknowledged
        "feed.insert",  # before fed rows go to the store
        "feed.insert.after",  # the store has the rows, but the outbox does not know
        "backup.freeze.after",  # the store is frozen and the drain held, but nothing is copied
        "backup.copy",  # in the command: the drain has continued and there is room, but nothing is copied
        "move.block.after",  # a block of a table is in the store's new place
        "move.store.after",  # the new store is complete and verified, but nothing records it
        "move.spool.after",  # the spool is in its new place, too
        "move.mark.after",  # the old place is marked, but the new one cannot be used yet
        "move.metadata.after",  # all is done, but not reported
        "queue.move",  # the work of an earlier version is moved into the queue, but not committed
        "queue.moved",  # it is moved, but nothing of it is attempted
        "queue.claimed",  # items of the queue are leased, but nothing is attempted
        "queue.attempted",  # an attempt has ended, but the queue does not know
        "queue.recorded",  # the queue has recorded how the attempt ended
        "columns.add.before",  # a property is to get a column, but the event store does not know
        "columns.add.after",  # the event store has the column, but has filled no month
        "columns.fill.before",  # the event store is to fill a month
        "columns.fill.begun",  # it has begun
        "columns.fill.after",  # it has filled the month
        "columns.retire.after",  # a column is marked as no longer to be read
        "columns.drop.before",  # it is to be dropped
        "columns.drop.after",  # it is dropped
        "digest.claimed",  # a due time of a digest is recorded, but nothing is sent
        "digest.handed_in",  # the mail server has a mail of a digest, but the metadata does not know
    }
)

_RULE_PATTERN = re.compile(
    r"(?P<name>[a-z._]+)=(?P<action>kill|error|block)(:(?P<seconds>\d+(\.\d+)?))?(@(?P<nth>\d+))?"
)


class InjectedFault(TallyroomError):
    """The fault raised by the action ``error``."""


@dataclass
class _Failpoint:
    action: str
    seconds: float
    countdown: int


_active_failpoints: dict[str, _Failpoint] = {}
_release_event = threading.Event()


def configure(spec: str) -> None:
    """Replace the active failpoints, separated by commas; "" clears them. Raises `SettingsError` for unknown ones."""
    _active_failpoints.clear()
    _release_event.clear()
    for rule in filter(None, (rule_text.strip() for rule_text in spec.split(","))):
        match = _RULE_PATTERN.fullmatch(rule)
        if match is None or match["name"] not in FAILPOINTS:
            raise SettingsError(f"TALLYROOM_FAILPOINTS: {rule!r} is not a failpoint with an action.")
        _active_failpoints[match["name"]] = _Failpoint(
            match["action"], float(match["seconds"] or 0), int(match["nth"] or 1)
        )


def release() -> None:
    """Release everything that waits in a ``block``; called by a stopping server."""
    _release_event.set()


def hit(name: str) -> None:
    """Cause the fault configured for `name`, if any; raises `InjectedFault` for the action ``error``."""
    failpoint = _active_failpoints.get(name)
    if failpoint is None:
        return
    failpoint.countdown -= 1
    if failpoint.countdown > 0:
        return
    if failpoint.action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(60)
    if failpoint.action == "error":
        raise InjectedFault(f"injected fault at {name}")
    if failpoint.seconds:
        del _active_failpoints[name]
        _release_event.wait(failpoint.seconds)
    else:
        _release_event.wait()
