"""Parts that are not in use: the engine could not read them at startup, or a check has set them aside.

They are in the folder `detached` of their table. Rows may also be in a merged part, or in the parts that it was merged
from, which the engine reads again if the merged part is broken.
"""

from contextlib import suppress
from pathlib import Path

import msgspec

from tallyroom.core.times import MAX_DATETIME_MS, month_bounds_ms
from tallyroom.storage.event_store.damage import Damage
from tallyroom.storage.event_store.tables import EVENTS
from tallyroom.storage.event_store.writer import Writer

_DETACHED_PARTS = """
SELECT table, partition_id AS partition, name, reason, path,
       min_block_number AS first_block, max_block_number AS last_block
FROM system.detached_parts
WHERE database = currentDatabase() AND min_block_number IS NOT NULL
  AND reason NOT IN ('attaching', 'clone', 'deleting', 'ignored', 'tmp-fetch')
ORDER BY table, name"""

_ACTIVE_PARTS = """
SELECT table, partition_id AS partition, min_block_number AS first_block, max_block_number AS last_block
FROM system.parts
WHERE active AND database = currentDatabase() AND table IN {tables:Array(String)}"""


class _BlockRange(msgspec.Struct):
    table: str
    partition: str
    first_block: int
    last_block: int


class DetachedPart(_BlockRange):
    """A part that is not in use; `reason` is the engine's word for why, "" if the part was detached by a command."""

    name: str
    reason: str
    path: str

    @property
    def original_name(self) -> str:
        """The name that the part had when it was in use."""
        return self.name.removeprefix(f"{self.reason}_") if self.reason else self.name

    def mark_ignored(self) -> None:
        """Rename the part so that it is ignored; its files stay next to the others."""
        path = Path(self.path)
        path.rename(path.with_name(f"ignored_{self.original_name}"))

    def build_damage(self) -> Damage:
        """Return what is lost with the part, if its files still show it."""
        from_ms, until_ms = month_bounds_ms(int(self.partition)) if self.table == EVENTS else (0, MAX_DATETIME_MS)
        problem = f"set aside ({self.reason or 'detached'})"
        return Damage(self.table, self.original_name, problem, _read_row_count(Path(self.path)), from_ms, until_ms)


def list_detached_parts(writer: Writer) -> list[DetachedPart]:
    """Return the unused parts whose rows are in no part in use; raises `StoreError` if the store does not answer."""
    lines = writer.command(_DETACHED_PARTS, None, "JSONEachRow")
    parts = msgspec.json.Decoder(DetachedPart, strict=False).decode_lines(lines)
    if not parts:
        return []
    parameters = {"tables": sorted({part.table for part in parts})}
    lines = writer.command(_ACTIVE_PARTS, parameters, "JSONEachRow")
    active_ranges = msgspec.json.Decoder(_BlockRange, strict=False).decode_lines(lines)
    return [part for part in parts if not _is_covered(part, active_ranges)]


def _is_covered(part: DetachedPart, active_ranges: list[_BlockRange]) -> bool:
    """Return whether one active part covers all blocks of `part`, or active parts begin and end where it does."""
    ranges = [active for active in active_ranges if (active.table, active.partition) == (part.table, part.partition)]
    if any(active.first_block <= part.first_block and part.last_block <= active.last_block for active in ranges):
        return True
    starts, ends = {active.first_block for active in ranges}, {active.last_block for active in ranges}
    return part.first_block in starts and part.last_block in ends


def _read_row_count(folder: Path) -> int | None:
    with suppress(OSError, ValueError):
        return int((folder / "count.txt").read_text())
    return None
