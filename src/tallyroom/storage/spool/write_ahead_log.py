"""Repairs what changed on the disk in the spool's write-ahead log (rules/safety#damaged-events).

SQLite reads the log up to the first frame whose checksum does not fit, because a crash may have left that unfinished.
So one changed byte would lose every later commit. But the checksum of a frame continues that of the previous frame: if
later commits fit, a frame that does not fit is not an unfinished one. The format is SQLite's
(https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
"""

import logging
import os
import struct
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tallyroom.storage.file_identity import paths_with_log
from tallyroom.storage.spool.event_counts import add_mended_records
from tallyroom.storage.spool.file import reopen_spool_file
from tallyroom.storage.spool.log_checksums import Checksum, compute_checksum, find_originals

_HEAD_BYTES, _HEAD_CHECKSUMMED_BYTES = 32, 24
_FRAME_HEAD_BYTES, _FRAME_HEAD_CHECKSUMMED_BYTES = 24, 8
_CHECKSUM = struct.Struct(">2I")
_MAGIC = 0x377F0682  # one more if the words of checksums are big-endian
_PAGE_SIZES = range(512, 65536 + 1)
_COMMITS_TO_PROVE = 2  # commits: the last one may be unfinished, but it began when the previous one was on disk
_log = logging.getLogger(__name__)


class _Frame(NamedTuple):
    """The part of a frame that its checksum covers, its salts, and its checksum."""

    content: bytes
    salts: bytes
    checksum: Checksum

    @property
    def is_commit(self) -> bool:
        return self.content[4:_FRAME_HEAD_CHECKSUMMED_BYTES] != bytes(4)


class _MismatchCause(NamedTuple):
    """Why a frame does not fit."""

    original_content: bytes  # if known
    continued_checksum: Checksum  # the next frame continues it
    is_certain: bool = True  # the frame changed on the disk: a crash did not leave it unfinished


class _WriteAheadLog:
    """A log in memory."""

    def __init__(self, data: bytearray) -> None:
        self.data = data
        self.is_big_endian = data[3] & 1 == 1
        self.page_size = int.from_bytes(data[8:12])
        self.salts = bytes(data[16:24])
        self.checksum: Checksum = _CHECKSUM.unpack_from(data, _HEAD_CHECKSUMMED_BYTES)
        self.frame_length = _FRAME_HEAD_BYTES + self.page_size

    def list_frame_starts(self, first_frame_start: int = _HEAD_BYTES) -> range:
        return range(first_frame_start, len(self.data) - self.frame_length + 1, self.frame_length)

    def read_frame(self, start: int) -> _Frame:
        head = self.data[start : start + _FRAME_HEAD_CHECKSUMMED_BYTES]
        content = head + self.data[start + _FRAME_HEAD_BYTES : start + self.frame_length]
        salts = bytes(self.data[start + 8 : start + 16])
        return _Frame(bytes(content), salts, _CHECKSUM.unpack_from(self.data, start + 16))

    def write_frame(self, start: int, content: bytes) -> None:
        self.data[start : start + _FRAME_HEAD_CHECKSUMMED_BYTES] = content[:_FRAME_HEAD_CHECKSUMMED_BYTES]
        self.data[start + 8 : start + 16] = self.salts
        self.data[start + _FRAME_HEAD_BYTES : start + self.frame_length] = content[_FRAME_HEAD_CHECKSUMMED_BYTES:]

    def compute_checksum(self, frame: _Frame, previous_checksum: Checksum) -> Checksum:
        return compute_checksum(frame.content, previous_checksum, is_big_endian=self.is_big_endian)

    def rewrite_checksums(self, first_frame_start: int, end: int, previous_checksum: Checksum) -> None:
        for start in range(first_frame_start, end, self.frame_length):
            previous_checksum = self.compute_checksum(self.read_frame(start), previous_checksum)
            _CHECKSUM.pack_into(self.data, start + 16, *previous_checksum)


def mend_spool_log(spool_path: Path) -> None:
    """Repair the log of a spool before anything reads the spool, and record the number of changes in the spool."""
    _, log_path = paths_with_log(spool_path)
    frame_count = mend_log(log_path)
    if frame_count:
        _log.error("the spool's log changed on the disk and was repaired", extra={"frames": frame_count})
        with closing(reopen_spool_file(spool_path)) as connection:
            add_mended_records(connection, frame_count)


def mend_log(path: Path) -> int:
    """Repair the log, if any, of a database that no process has open, and return the number of changed frames.

    A single changed byte is restored if the checksum determines it. Other frames are kept: rows have their own seals.
    """
    try:
        data = bytearray(path.read_bytes())
    except FileNotFoundError:
        return 0
    mended_frame_count = _mend_log_bytes(data)
    if mended_frame_count:
        with path.open("r+b") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    return mended_frame_count


def _mend_log_bytes(data: bytearray) -> int:
    if len(data) < _HEAD_BYTES:
        return 0
    mended_head_count = _mend_head(data)
    log = _WriteAheadLog(data)
    if int.from_bytes(data[:4]) & ~1 != _MAGIC or log.page_size not in _PAGE_SIZES:
        return 0
    checksum = log.checksum
    for start in log.list_frame_starts():
        frame = log.read_frame(start)
        if frame.salts != log.salts or log.compute_checksum(frame, checksum) != frame.checksum:
            return mended_head_count + _mend_frames(log, start, checksum)
        checksum = frame.checksum
    return mended_head_count


def _mend_head(data: bytearray) -> int:
    """Correct a single changed byte of the log's head or of its checksum; return the number of corrections, 0 or 1."""
    content, checksum = bytes(data[:_HEAD_CHECKSUMMED_BYTES]), _CHECKSUM.unpack_from(data, _HEAD_CHECKSUMMED_BYTES)
    content_checksum = compute_checksum(content, (0, 0))
    if content_checksum == checksum or int.from_bytes(data[:4]) == _MAGIC + 1:
        return 0
    if _differ_in_one_byte(_CHECKSUM.pack(*content_checksum), _CHECKSUM.pack(*checksum)):
        data[_HEAD_CHECKSUMMED_BYTES:_HEAD_BYTES] = _CHECKSUM.pack(*content_checksum)
        return 1
    originals = find_originals(content, (0, 0), checksum)
    if len(originals) != 1:
        return 0
    data[:_HEAD_CHECKSUMMED_BYTES] = originals[0]
    return 1


def _mend_frames(log: _WriteAheadLog, first_frame_start: int, previous_checksum: Checksum) -> int:
    """Correct the log from the first frame that does not fit to the last proven commit."""
    corrections: list[tuple[int, bytes]] = []
    checksum, proven_count, commits_until_proven, proven_end = previous_checksum, 0, 0, first_frame_start
    for start in log.list_frame_starts(first_frame_start):
        frame = log.read_frame(start)
        content_checksum = log.compute_checksum(frame, checksum)
        if content_checksum != frame.checksum or frame.salts != log.salts:
            cause = _explain_mismatch(log, start, frame, previous_checksum=checksum, content_checksum=content_checksum)
            if cause is None:
                break
            corrections.append((start, cause.original_content))
            commits_until_proven = commits_until_proven if cause.is_certain else _COMMITS_TO_PROVE
            frame = frame._replace(content=cause.original_content, checksum=cause.continued_checksum)
        checksum = frame.checksum
        if frame.is_commit:
            commits_until_proven = max(0, commits_until_proven - 1)
            if commits_until_proven == 0:
                proven_count, proven_end = len(corrections), start + log.frame_length
    for start, content in corrections[:proven_count]:
        log.write_frame(start, content)
    if proven_count:
        log.rewrite_checksums(first_frame_start, proven_end, previous_checksum)
    return proven_count


def _explain_mismatch(
    log: _WriteAheadLog, start: int, frame: _Frame, *, previous_checksum: Checksum, content_checksum: Checksum
) -> _MismatchCause | None:
    """Return why a frame does not fit; None if the log ends there."""
    if content_checksum == frame.checksum:
        return _MismatchCause(frame.content, frame.checksum) if _differ_in_one_byte(frame.salts, log.salts) else None
    if frame.salts != log.salts:
        return None
    next_start = start + log.frame_length
    is_continued = next_start in log.list_frame_starts() and (
        next_frame := log.read_frame(next_start)
    ).checksum == log.compute_checksum(next_frame, content_checksum)
    if is_continued or _differ_in_one_byte(_CHECKSUM.pack(*content_checksum), _CHECKSUM.pack(*frame.checksum)):
        return _MismatchCause(frame.content, content_checksum)
    originals = find_originals(frame.content, previous_checksum, frame.checksum, is_big_endian=log.is_big_endian)
    return _MismatchCause(
        originals[0] if len(originals) == 1 else frame.content, frame.checksum, is_certain=bool(originals)
    )


def _differ_in_one_byte(one: bytes, other: bytes) -> bool:
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1
