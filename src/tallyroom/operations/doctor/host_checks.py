"""The doctor's checks of what surrounds the data: disk, permissions, clock, mail, and the age of the last backup."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from rich.filesize import decimal

from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import DATABASE_FILE, KEY_FILE, SPOOL_FILE, STORE_FOLDER
from tallyroom.core.settings import Settings
from tallyroom.core.times import DAY_MS
from tallyroom.operations.doctor.findings import Finding, broken, doubtful, fine
from tallyroom.operations.installation.last_backup import read_last_backup

_OLD_DAYS = 7
_AHEAD_MS = 60_000
_FOUNDED_MS = 1_735_689_600_000  # 2025-01-01: no machine that runs this is older


def check_host(settings: Settings, clock: Clock) -> Iterator[Finding]:
    """Check what surrounds the data of `settings`."""
    data = settings.data_dir
    yield _disk(data, settings.disk_reserve_bytes)
    yield _modes(data)
    yield _clock(data, clock.now_ms())
    yield _mail(settings)
    yield _last_backup(data, clock.now_ms())


def _disk(data: Path, reserve: int) -> Finding:
    free = shutil.disk_usage(data).free
    text = f"{decimal(free)} free, of which {decimal(reserve)} are reserved (TALLYROOM_DISK_RESERVE_BYTES)"
    if free < reserve:
        return broken("disk", f"{text}: the server refuses new events.", "Free some space, or move the data directory.")
    if free < 2 * reserve:
        return doubtful("disk", text, "Free some space before the server refuses new events.")
    return fine("disk", text)


def _modes(data: Path) -> Finding:
    """Check permissions: if the directory does not protect everything below it, each file has to do so itself."""
    if not data.stat().st_mode & 0o077:
        return fine("files", "only their owner can read them")
    paths = (data / name for name in (DATABASE_FILE, SPOOL_FILE, STORE_FOLDER, KEY_FILE))
    if open_ones := [path.name for path in paths if path.exists() and path.stat().st_mode & 0o077]:
        text = f"Other users of this machine can read {' and '.join(open_ones)}: events and password hashes."
        return doubtful("files", text, f"chmod 700 {data}")
    return fine("files", "only their owner can read them")


def _clock(data: Path, now_ms: int) -> Finding:
    if now_ms < _FOUNDED_MS or any(written_ms > now_ms + _AHEAD_MS for written_ms in _written(data)):
        text = "The clock of this machine is behind: files of the data directory were written in its future."
        return broken("clock", text, "Set the clock, preferably by NTP: events without a time get the server's.")
    return fine("clock", "nothing was written in the future")


def _written(data: Path) -> Iterator[int]:
    """Yield when each file was last written, in ms since 1970 UTC, skipping files that disappear meanwhile."""
    for path in data.iterdir():
        with suppress(FileNotFoundError):
            yield round(path.lstat().st_mtime * 1000)


def _mail(settings: Settings) -> Finding:
    if settings.mail_server is None:
        text = "TALLYROOM_SMTP_URL is not set here. A server without it only logs invitations and password resets."
        return doubtful("mail", text, "Set it and TALLYROOM_MAIL_FROM for the server, and for the doctor as well.")
    return fine("mail", f"is handed to {settings.mail_server.host}")


def _last_backup(data: Path, now_ms: int) -> Finding:
    last = read_last_backup(data)
    advice = "Run tallyroom backup DIR, preferably every night; docs/howto/backup.md has the line for cron."
    if last is None:
        return doubtful("backup", "No backup has been made yet.", advice)
    days = (now_ms - datetime.fromisoformat(last.created).timestamp() * 1000) / DAY_MS
    text = f"The last backup was made {last.created[:16].replace('T', ' ')} UTC, in {last.folder}, {decimal(last.size)}"
    if days > _OLD_DAYS:
        return doubtful("backup", f"{text}: {days:.0f} days ago.", advice)
    return fine("backup", text)
