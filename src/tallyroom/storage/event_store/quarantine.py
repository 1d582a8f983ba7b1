"""Takes a damaged part out of use; its files stay in the folder `detached` of the table, to save intact data."""

import logging
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

from tallyroom.storage.event_store.errors import PartName, StoreError, blames_disk
from tallyroom.storage.event_store.part_check import CheckedPart, check_parts
from tallyroom.storage.event_store.writer import Writer

Result = TypeVar("Result")

_MAX_TRIES = 100
_FROM_PART = (
    "FROM system.parts WHERE active AND database = currentDatabase()"
    " AND table = {table:String} AND name = {part:String}"
)

_log = logging.getLogger(__name__)


def quarantine_part(writer: Writer, part: CheckedPart) -> bool:
    """Detach a part that a check found damaged; return False, and keep it, if it was unreadable for another reason."""
    if blames_disk(part.problem) or StoreError(part.problem).blames_load:
        return False
    with writer.removing_events():
        time_range = writer.command(f"SELECT min_time, max_time {_FROM_PART}", _build_part_parameters(part)).split("\t")
        # DETACH takes no parameters; both names come from the store itself.
        writer.command(f"ALTER TABLE `{part.table}` DETACH PART '{part.part}'")
    _log.error(
        "a damaged part was set aside",
        extra={
            "part": f"{part.table}/{part.part}",
            "rows": part.row_count,
            "span": " - ".join(time_range).strip(),
            "problem": part.problem[:500],
        },
    )
    return True


def is_part_in_use(writer: Writer, part: CheckedPart) -> bool:
    """Return whether the store still uses the part."""
    return int(writer.command(f"SELECT count() {_FROM_PART}", _build_part_parameters(part))) > 0


def check_suspect_part(writer: Writer, part_name: PartName) -> CheckedPart | None:
    """Read one part and return the result; None if the part is no longer in use. Raises `StoreError`."""
    table = writer.command(
        "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'"
        " AND endsWith(data_paths[1], {folder:String})",
        {"folder": f"/{part_name.folder}/"},
    ).strip()
    if not table:
        return None
    with closing(check_parts(writer.backend, table, part_name.part)) as parts:
        return next(parts, None)


def read_past_damage(writer: Writer, read: Callable[[], Result]) -> Result:
    """Return the result of `read`, after setting aside damaged parts; raises other `StoreError`s."""
    for _ in range(_MAX_TRIES):
        try:
            return read()
        except StoreError as error:
            if error.suspect_part is None:
                raise
            part = check_suspect_part(writer, error.suspect_part)
            if part is not None and not (part.problem and quarantine_part(writer, part)):
                raise
    return read()


def _build_part_parameters(part: CheckedPart) -> dict[str, str]:
    return {"table": part.table, "part": part.part}
