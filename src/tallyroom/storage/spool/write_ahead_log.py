"""Sets right what changed on the disk in the spool's write-ahead log (rules/safety#damaged-events).

SQLite takes the log up to the first frame whose checksum does not fit, because a crash may have left that unfinished.
So a single byte that changed would lose every commit behind it. But the checksum of a frame continues that of the frame
before: where later commits fit, a frame that does not is no unfinished one. The format is SQLite's
(https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
"""

import logging
import os
import struct
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tallyroom.storage.file_identity import with_log
from tallyroom.storage.spool.event_counts import count_mended
from tallyroom.storage.spool.file import reopen_spool_file
from tallyroom.storage.spool.log_checksums import Sums, summed, texts_before

_HEAD_SIZE, _HEAD_SUMMED = 32, 24
_FRAME_HEAD_SIZE, _FRAME_HEAD_SUMMED = 24, 8
_PAIR = struct.Struct(">2I")
_MAGIC = 0x377F0682  # one more if the words of checksums are big-endian
_PAGE_SIZES = range(512, 65536 + 1)
_PROVEN_BY = 2  # commits: the last one may be unfinished, but it began when the one before it was on disk


_log = logging.getLogger(__name__)


class _Frame(NamedTuple):
    """What of a frame its checksum covers, its salts, and its checksum."""

    content: bytes
    salts: bytes
    sums: Sums

    @property
    def is_commit(self) -> bool:
        return self.content[4:_FRAME_HEAD_SUMMED] != bytes(4)


class _Cause(NamedTuple):
    """Why a frame does not fit: its content as it was, as far as is known, and what checksum the next one continues.

    Attributes:
        is_certain: whether it changed on the disk, so that no crash left it unfinished.
    """

    content: bytes
    sums: Sums
    is_certain: bool = True


class _Log:
    """A log in memory, of which each part can be read and corrected."""

    def __init__(self, data: bytearray) -> None:
        self.data = data
        self.big_endian = data[3] & 1 == 1
        self.page_size = int.from_bytes(data[8:12])
        self.salts = bytes(data[16:24])
        self.sums: Sums = _PAIR.unpack_from(data, _HEAD_SUMMED)
        self.span = _FRAME_HEAD_SIZE + self.page_size

    def starts(self, first: int = _HEAD_SIZE) -> range:
        """Return where frames begin."""
        return range(first, len(self.data) - self.span + 1, self.span)

    def frame(self, start: int) -> _Frame:
        page = start + _FRAME_HEAD_SIZE
        content = self.data[start : start + _FRAME_HEAD_SUMMED] + self.data[page : start + self.span]
        salts = bytes(self.data[start + 8 : start + 16])
        return _Frame(bytes(content), salts, _PAIR.unpack_from(self.data, start + 16))

    def put(self, start: int, content: bytes) -> None:
        """Write the content of a frame, and the salts of this log."""
        self.data[start : start + _FRAME_HEAD_SUMMED] = content[:_FRAME_HEAD_SUMMED]
        self.data[start + 8 : start + 16] = self.salts
        self.data[start + _FRAME_HEAD_SIZE : start + self.span] = content[_FRAME_HEAD_SUMMED:]

    def sum_of(self, frame: _Frame, before: Sums) -> Sums:
        return summed(frame.content, before, big_endian=self.big_endian)

    def sum_anew(self, first: int, end: int, before: Sums) -> None:
        """Write the checksums of frames again."""
        for start in range(first, end, self.span):
            before = self.sum_of(self.frame(start), before)
            _PAIR.pack_into(self.data, start + 16, *before)


def mend_log_of(spool: Path) -> None:
    """Set right the log of a spool before anything reads the spool, and count what had changed in the spool."""
    _, log = with_log(spool)
    frames = mend_log(log)
    if frames:
        _log.error("the spool's log changed on the disk and was set right", extra={"frames": frames})
        with closing(reopen_spool_file(spool)) as connection:
            count_mended(connection, frames)


def mend_log(path: Path) -> int:
    """Repair the log of a database that no process has open, and return the number of frames that had changed.

    One byte that changed becomes what it was, if the checksum says which. A frame in which more changed is taken as it
    is, because the rows in it have seals of their own.

    Args:
        path: the log; it may be missing.
    """
    try:
        data = bytearray(path.read_bytes())
    except FileNotFoundError:
        return 0
    count = _mend(data)
    if count:
        with path.open("r+b") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    return count


def _mend(data: bytearray) -> int:
    if len(data) < _HEAD_SIZE:
        return 0
    count = _mend_head(data)
    log = _Log(data)
    if int.from_bytes(data[:4]) & ~1 != _MAGIC or log.page_size not in _PAGE_SIZES:
        return 0
    sums = log.sums
    for start in log.starts():
        frame = log.frame(start)
        if frame.salts != log.salts or log.sum_of(frame, sums) != frame.sums:
            return count + _mend_from(log, start, sums)
        sums = frame.sums
    return count


def _mend_head(data: bytearray) -> int:
    """Correct the one byte of the log's head that changed, its checksum included; return 1 if that was so."""
    content, sums = bytes(data[:_HEAD_SUMMED]), _PAIR.unpack_from(data, _HEAD_SUMMED)
    content_sums = summed(content, (0, 0))
    if content_sums == sums or int.from_bytes(data[:4]) == _MAGIC + 1:
        return 0
    if _differ_in_a_byte(_PAIR.pack(*content_sums), _PAIR.pack(*sums)):
        data[_HEAD_SUMMED:_HEAD_SIZE] = _PAIR.pack(*content_sums)
        return 1
    texts = texts_before(content, (0, 0), sums)
    if len(texts) != 1:
        return 0
    data[:_HEAD_SUMMED] = texts[0]
    return 1


def _mend_from(log: _Log, first: int, before: Sums) -> int:
    """Correct the log from the first frame that does not fit, up to the last commit that is proven."""
    corrections: list[tuple[int, bytes]] = []
    sums, proven, missing_commits, end = before, 0, 0, first
    for start in log.starts(first):
        frame = log.frame(start)
        content_sums = log.sum_of(frame, sums)
        if content_sums != frame.sums or frame.salts != log.salts:
            cause = _explained(log, start, frame, before=sums, content_sums=content_sums)
            if cause is None:
                break
            corrections.append((start, cause.content))
            missing_commits = missing_commits if cause.is_certain else _PROVEN_BY
            frame = frame._replace(content=cause.content, sums=cause.sums)
        sums = frame.sums
        if frame.is_commit:
            missing_commits = max(0, missing_commits - 1)
            if missing_commits == 0:
                proven, end = len(corrections), start + log.span
    for start, content in corrections[:proven]:
        log.put(start, content)
    if proven:
        log.sum_anew(first, end, before)
    return proven


def _explained(log: _Log, start: int, frame: _Frame, *, before: Sums, content_sums: Sums) -> _Cause | None:
    """Return why a frame does not fit; None if the log ends there."""
    if content_sums == frame.sums:
        return _Cause(frame.content, frame.sums) if _differ_in_a_byte(frame.salts, log.salts) else None
    if frame.salts != log.salts:
        return None
    following = start + log.span
    goes_on = following in log.starts() and (then := log.frame(following)).sums == log.sum_of(then, content_sums)
    if goes_on or _differ_in_a_byte(_PAIR.pack(*content_sums), _PAIR.pack(*frame.sums)):
        return _Cause(frame.content, content_sums)
    texts = texts_before(frame.content, before, frame.sums, big_endian=log.big_endian)
    return _Cause(texts[0] if len(texts) == 1 else frame.content, frame.sums, is_certain=bool(texts))


def _differ_in_a_byte(one: bytes, other: bytes) -> bool:
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1
