"""Checks whether the server can accept and answer requests now."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import Peers
from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS, SharedClock
from tallyroom.ingest.acceptance.disk import DiskWatch
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.directory_watch import DirectoryWatch
from tallyroom.storage.event_store.damage import DamageList
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.spool.dead_letters import count_dead_letters
from tallyroom.storage.spool.event_counts import count_mended_records, touch_file
from tallyroom.storage.spool.queue import Spool

_TIMEOUT_SECONDS = 2.0


class Readiness(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether requests are accepted, and answered from all data.

    `status` is ``ready``, ``degraded`` if answers miss events or no question is answered, or ``unavailable``. `checks`
    has a word or a short sentence for each part. `notices` are for the operator; absent if there are none.
    """

    status: str
    checks: dict[str, str]
    version: str
    notices: list[str] = []


@dataclass(kw_only=True)
class ReadinessCheck:
    """Checks every part of the server that may fail."""

    database: Database
    spool: Spool
    drain: Drain
    disk: DiskWatch
    directory: DirectoryWatch
    damages: DamageList
    reader: EventReader
    stopping: threading.Event
    clock: SharedClock
    version: str

    async def build_report(self) -> Readiness:
        """Check each part, for at most two seconds each; a store that accepts no writes leaves the server ready."""
        missing_name, is_stopping = self.directory.check(), self.stopping.is_set()
        drain_failure = self.drain.failure_reason
        spool_state, notices = await _examine_spool(self.spool)
        checks = {
            "data": f"{missing_name} was moved or deleted after the server started" if missing_name else "ok",
            "metadata": await _examine_metadata(self.database),
            "spool": spool_state,
            "disk": _examine_disk(self.disk),
            "store": f"spooling: {drain_failure.splitlines()[0]}" if drain_failure else "ok",
            "parts": self.damages.summary() or "ok",
            "queries": "no queries are answered, because running ones do not stop" if self.reader.is_blocked else "ok",
        }
        if is_stopping:
            checks["server"] = "stopping"
        if objection := _find_objection(self.database.peers, self.clock):
            checks["workers"] = objection
        is_unavailable = (
            is_stopping
            or bool(objection)
            or any(checks[part] != "ok" for part in ("data", "metadata", "spool", "disk"))
        )
        is_degraded = bool(self.damages.entries or self.reader.is_blocked)
        status = "unavailable" if is_unavailable else "degraded" if is_degraded else "ready"
        return Readiness(status, checks, self.version, notices)


def _build_notices(dead_letter_count: int, mended_count: int) -> Iterator[str]:
    if dead_letter_count:
        subject = "1 event was" if dead_letter_count == 1 else f"{dead_letter_count:,} events were"
        yield f"{subject} put aside and not counted: run `tallyroom doctor` to see why."
    if mended_count:
        subject = "A record of the spool" if mended_count == 1 else f"{mended_count:,} records of the spool"
        yield f"{subject} had to be repaired after changes on the disk: check disk and memory."


def _find_objection(peers: Peers, clock: SharedClock) -> str:
    if objection := peers.find_objection():
        return objection
    if differing_hosts := ", ".join(sorted(peers.hosts_with_other_settings())):
        return f"The workers on {differing_hosts} have different settings."
    ahead_ms = clock.ahead_ms()
    if abs(ahead_ms) <= MAX_CLOCK_SKEW_MS:
        return ""
    direction = "ahead of" if ahead_ms > 0 else "behind"
    return f"This host's clock is {abs(ahead_ms) / 1000:.0f} s {direction} the database's."


async def _examine_metadata(database: Database) -> str:
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS), database.session(write=False):
            return "ok"
    except (Unavailable, TimeoutError):
        return "does not respond"


async def _examine_spool(spool: Spool) -> tuple[str, list[str]]:
    """Return whether the spool can be written, and notices for the operator."""

    def touch_and_build_notices(connection: sqlite3.Connection) -> list[str]:
        touch_file(connection)
        return list(_build_notices(count_dead_letters(connection), count_mended_records(connection)))

    try:
        change = asyncio.wrap_future(spool.change(touch_and_build_notices))
        return "ok", await asyncio.wait_for(change, _TIMEOUT_SECONDS)
    except (sqlite3.Error, Unavailable, TimeoutError):
        return "cannot be written", []


def _examine_disk(disk: DiskWatch) -> str:
    try:
        disk.refuse_when_low()
    except Unavailable as error:
        return error.message
    return "ok"
