"""Takes a damaged part out of use, so that the rest of its table can be read.

Its files stay in the folder `detached` of the table, so that whatever is intact can still be saved.
"""

import logging
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

from tallyroom.storage.event_store.errors import PartName, StoreError, blames_disk
from tallyroom.storage.event_store.part_check import CheckedPart, check_parts
from tallyroom.storage.event_store.writer import Writer

Result = TypeVar("Result")

_MOST_AT_ONCE = 100
_THE_PART = (
    "FROM system.parts WHERE active AND database = currentDatabase()"
    " AND table = {table:String} AND name = {part:String}"
)

_log = logging.getLogger(__name__)


def set_aside(writer: Writer, part: CheckedPart) -> bool:
    """Detach a part that a check found damaged; False, and the part stays, if something else made it unreadable.

    Raises:
        StoreError: the store could not detach the part.
    """
    if blames_disk(part.problem) or StoreError(part.problem).blames_moment:
        return False
    with writer.taking_away():
        span = writer.command(f"SELECT min_time, max_time {_THE_PART}", _named(part)).split("\t")
        # DETACH takes no parameters; both names come from the store itself.
        writer.command(f"ALTER TABLE `{part.table}` DETACH PART '{part.part}'")
    _log.error(
        "a damaged part was set aside",
        extra={
            "part": f"{part.table}/{part.part}",
            "rows": part.rows,
            "span": " - ".join(span).strip(),
            "problem": part.problem[:500],
        },
    )
    return True


def is_in_use(writer: Writer, part: CheckedPart) -> bool:
    """Return whether the store still uses the part.

    Raises:
        StoreError: the store does not answer.
    """
    return int(writer.command(f"SELECT count() {_THE_PART}", _named(part))) > 0


def examine(writer: Writer, suspect: PartName) -> CheckedPart | None:
    """Read one part and return the result; None if the part is no longer in use.

    Raises:
        StoreError: the store does not answer.
    """
    table = writer.command(
        "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'"
        " AND endsWith(data_paths[1], {folder:String})",
        {"folder": f"/{suspect.folder}/"},
    ).strip()
    if not table:
        return None
    with closing(check_parts(writer.backend, table, suspect.part)) as parts:
        return next(parts, None)


def surviving(writer: Writer, read: Callable[[], Result]) -> Result:
    """Return the result of `read`; if a damaged part makes it fail, set the part aside and read again.

    Raises:
        StoreError: `read` fails for another reason.
    """
    for _ in range(_MOST_AT_ONCE):
        try:
            return read()
        except StoreError as error:
            if error.suspect is None:
                raise
            part = examine(writer, error.suspect)
            if part is not None and not (part.problem and set_aside(writer, part)):
                raise
    return read()


def _named(part: CheckedPart) -> dict[str, str]:
    return {"table": part.table, "part": part.part}
