"""Removes the events from a range that were erased while they waited (storage/spool/omissions.py)."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from tallyroom.ingest.drain.rows import Rows
from tallyroom.ingest.drain.spool_line import SpoolLine, read_line
from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.omissions import OmissionSpan
from tallyroom.storage.spool.row import split_lines


class OmissionFilter:
    """Removes events from rows, and counts them by erasure ID."""

    def __init__(self, spans: Sequence[OmissionSpan]) -> None:
        self._spans_by_scope: defaultdict[tuple[str, str], list[OmissionSpan]] = defaultdict(list)
        for span in spans:
            self._spans_by_scope[span.omission.workspace_id, span.omission.environment].append(span)
        self.omitted_count_by_erasure_id: Counter[str] = Counter()

    def filter_rows(self, chunk_id: int, rows: Rows) -> Rows:
        """Return the rows of a chunk without the erased ones; stand-ins stay, to be set aside."""
        if not self._spans_by_scope:
            return rows
        lines: list[bytes] = []
        stand_in_indexes: list[int] = []
        for index, line in enumerate(split_lines(rows.body)):
            if index in rows.stand_in_indexes:
                stand_in_indexes.append(len(lines))
            elif (omission := self._find_omission(chunk_id, line)) is not None:
                self.omitted_count_by_erasure_id[omission.erasure_id] += 1
                continue
            lines.append(line)
        return Rows(len(lines), b"".join(lines), tuple(stand_in_indexes))

    def _find_omission(self, chunk_id: int, line: bytes) -> Omission | None:
        row = read_line(line)
        if row is None:
            return None
        spans = self._spans_by_scope.get((str(row[0]), row[1]), ())
        omissions = (span.omission for span in spans if span.first_id <= chunk_id <= span.last_id)
        return next((omission for omission in omissions if _covers(omission, row)), None)


def _covers(omission: Omission, row: SpoolLine) -> bool:
    time_ms, actor = row[2], row[7]
    return omission.actor in (None, actor) and (omission.before_ms is None or time_ms < omission.before_ms)
