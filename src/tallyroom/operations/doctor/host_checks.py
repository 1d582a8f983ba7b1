"""The doctor's checks of the environment: disk, permissions, clock, mail, and the age of the last backup."""

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
from tallyroom.operations.doctor.findings import Finding, report_broken, report_ok, report_warning
from tallyroom.operations.installation.last_backup import read_last_backup

_MAX_BACKUP_AGE_DAYS = 7
_MAX_CLOCK_LAG_MS = 60_000
_MIN_CLOCK_MS = 1_735_689_600_000  # 2025-01-01: the real time is always later


def check_host(settings: Settings, clock: Clock) -> Iterator[Finding]:
    """Check the environment of the data."""
    data_dir = settings.data_dir
    yield _check_disk(data_dir, settings.disk_reserve_bytes)
    yield _check_permissions(data_dir)
    yield _check_clock(data_dir, clock.now_ms())
    yield _check_mail(settings)
    yield _check_last_backup(data_dir, clock.now_ms())


def _check_disk(data_dir: Path, reserve_bytes: int) -> Finding:
    free_bytes = shutil.disk_usage(data_dir).free
    text = f"{decimal(free_bytes)} free, of which {decimal(reserve_bytes)} are reserved (TALLYROOM_DISK_RESERVE_BYTES)"
    if free_bytes < reserve_bytes:
        advice = "Free some space, or move the data directory."
        return report_broken("disk", f"{text}: the server refuses new events.", advice)
    if free_bytes < 2 * reserve_bytes:
        return report_warning("disk", text, "Free some space before the server refuses new events.")
    return report_ok("disk", text)


def _check_permissions(data_dir: Path) -> Finding:
    if data_dir.stat().st_mode & 0o077:  # then each file has to protect itself
        paths = (data_dir / name for name in (DATABASE_FILE, SPOOL_FILE, STORE_FOLDER, KEY_FILE))
        if exposed_names := [path.name for path in paths if path.exists() and path.stat().st_mode & 0o077]:
            text = f"Other users of this machine can read {' and '.join(exposed_names)}: events and password hashes."
            return report_warning("files", text, f"chmod 700 {data_dir}")
    return report_ok("files", "only their owner can read them")


def _check_clock(data_dir: Path, now_ms: int) -> Finding:
    latest_ms = now_ms + _MAX_CLOCK_LAG_MS
    if now_ms < _MIN_CLOCK_MS or any(written_ms > latest_ms for written_ms in _list_written_ms(data_dir)):
        text = "The clock of this machine is behind: files in the data directory have times in the future."
        return report_broken("clock", text, "Set the clock, ideally with NTP: events without a time get the server's.")
    return report_ok("clock", "no file has a time in the future")


def _list_written_ms(data_dir: Path) -> Iterator[int]:
    """Yield the modification time of each file, in ms since 1970 UTC, skipping files that disappear meanwhile."""
    for path in data_dir.iterdir():
        with suppress(FileNotFoundError):
            yield round(path.lstat().st_mtime * 1000)


def _check_mail(settings: Settings) -> Finding:
    if settings.mail_server is None:
        text = "TALLYROOM_SMTP_URL is not set here. A server without it only logs invitations and password resets."
        advice = "Set it and TALLYROOM_MAIL_FROM for both the server and the doctor."
        return report_warning("mail", text, advice)
    return report_ok("mail", f"is sent through {settings.mail_server.host}")


def _check_last_backup(data_dir: Path, now_ms: int) -> Finding:
    last_backup = read_last_backup(data_dir)
    advice = "Run tallyroom backup DIR, preferably every night; docs/howto/backup.md has a line for crontab."
    if last_backup is None:
        return report_warning("backup", "No backup has been made yet.", advice)
    age_days = (now_ms - datetime.fromisoformat(last_backup.created).timestamp() * 1000) / DAY_MS
    created = last_backup.created[:16].replace("T", " ")
    text = f"The last backup was made {created} UTC, in {last_backup.folder}, {decimal(last_backup.size)}"
    if age_days > _MAX_BACKUP_AGE_DAYS:
        return report_warning("backup", f"{text}: {age_days:.0f} days ago.", advice)
    return report_ok("backup", text)
