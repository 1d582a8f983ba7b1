"""Errors of the event store, classified by what to do next."""

import re
from typing import NamedTuple

from tallyroom.core.errors import Unavailable

# ClickHouse error codes that mean "not now": the store will accept the same block later.
_RETRY_CODES = frozenset(
    {
        159,  # TIMEOUT_EXCEEDED
        164,  # READONLY
        202,  # TOO_MANY_SIMULTANEOUS_QUERIES
        236,  # ABORTED
        241,  # MEMORY_LIMIT_EXCEEDED
        242,  # TABLE_IS_READ_ONLY
        243,  # NOT_ENOUGH_SPACE
        252,  # TOO_MANY_PARTS: merges are behind
        394,  # QUERY_WAS_CANCELLED
        396,  # TOO_MANY_ROWS_OR_BYTES: the question asks for more than it may
        735,  # QUERY_WAS_CANCELLED_BY_CLIENT
        999,  # KEEPER_EXCEPTION
    }
)
# Codes that mean "the end is missing": the end of a block that was cut off on its way, or of one of the store's files.
_TRUNCATION_CODES = frozenset(
    {
        3,  # UNEXPECTED_END_OF_FILE
        32,  # ATTEMPT_TO_READ_AFTER_EOF
        33,  # CANNOT_READ_ALL_DATA
    }
)
_TRUNCATION_MESSAGE = "Buffer has gone"  # of other errors at the end of the data, such as an unclosed string

# Codes that mean "nobody there": between this process and the store, or between the store's own parts.
_UNREACHABLE_CODES = frozenset(
    {
        95,  # CANNOT_READ_FROM_SOCKET
        96,  # CANNOT_WRITE_TO_SOCKET
        198,  # DNS_ERROR
        203,  # NO_FREE_CONNECTION
        209,  # SOCKET_TIMEOUT
        210,  # NETWORK_ERROR
        279,  # ALL_CONNECTION_TRIES_FAILED
        319,  # UNKNOWN_STATUS_OF_INSERT
        1000,  # POCO_EXCEPTION: connection reset by peer
    }
)
# Codes that mean "never these rows": the block must be taken apart.
_BAD_ROW_CODES = frozenset(
    {
        6,  # CANNOT_PARSE_TEXT
        25,  # CANNOT_PARSE_ESCAPE_SEQUENCE
        26,  # CANNOT_PARSE_QUOTED_STRING
        27,  # CANNOT_PARSE_INPUT_ASSERTION_FAILED
        38,  # CANNOT_PARSE_DATE
        41,  # CANNOT_PARSE_DATETIME
        53,  # TYPE_MISMATCH
        69,  # ARGUMENT_OUT_OF_BOUND
        72,  # CANNOT_PARSE_NUMBER
        117,  # INCORRECT_DATA
        130,  # CANNOT_READ_ARRAY_FROM_TEXT
        70,  # CANNOT_CONVERT_TYPE
        128,  # TOO_LARGE_ARRAY_SIZE
        131,  # TOO_LARGE_STRING_SIZE
        306,  # TOO_DEEP_RECURSION
        321,  # VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
        349,  # CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
        376,  # CANNOT_PARSE_UUID
        467,  # CANNOT_PARSE_BOOL
    }
)
_COLUMN_MISSING_CODES = frozenset(
    {8, 10, 16, 47}
)  # THERE_IS_NO_COLUMN, NOT_FOUND_COLUMN, NO_SUCH_COLUMN, UNKNOWN_IDENTIFIER
_ACCESS_DENIED_CODE = 497
_SYNTAX_ERROR_CODE = 62
_OUT_OF_FILES_MESSAGE = "Too many open files"  # under many codes, if the process or the machine may open no more files
_CODE_PATTERN = re.compile(r"Code: (\d+)")
_PART_FILE_PATTERN = re.compile(r"/store/[0-9a-f]{3}/([0-9a-f-]{36})/((?:all|\d{6})_\d+_\d+_\d+(?:_\d+)?)/")
_DISK_ERROR_PATTERN = re.compile(r"errno: (?!2\b)\d+")  # 2: no such file


class PartName(NamedTuple):
    """The name of a part, with the folder of its table."""

    folder: str
    part: str


class StoreError(Exception):
    """The store failed; the message is ClickHouse's own and never leaves the service."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        match = _CODE_PATTERN.search(message)
        self.code = int(match.group(1)) if match else 0

    @property
    def is_truncated(self) -> bool:
        """Whether the data ended in the middle of a row; the rows are at fault only if they were sent that way."""
        return self.code in _TRUNCATION_CODES or (self.code in _BAD_ROW_CODES and _TRUNCATION_MESSAGE in str(self))

    @property
    def blames_rows(self) -> bool:
        """Whether the rows themselves are at fault, so that sending them again is useless."""
        return self.code in _BAD_ROW_CODES and not self.is_truncated and self.suspect_part is None

    @property
    def is_unreachable(self) -> bool:
        """Whether the store could not be reached, or the connection broke off."""
        return self.code in _UNREACHABLE_CODES or self.is_truncated

    @property
    def is_out_of_files(self) -> bool:
        """Whether the process could not open a file; messages that blame rows may quote the same words."""
        return self.code not in _BAD_ROW_CODES and _OUT_OF_FILES_MESSAGE in str(self)

    @property
    def is_transient(self) -> bool:
        """Whether the store's state is at fault, so that the error may pass."""
        return self.code in _RETRY_CODES or self.is_unreachable or self.is_out_of_files

    @property
    def is_query_too_long(self) -> bool:
        """Whether the text of the query is too long."""
        return self.code == _SYNTAX_ERROR_CODE and "Max query size exceeded" in str(self)

    @property
    def is_forbidden(self) -> bool:
        """Whether the user of the store lacks a right."""
        return self.code == _ACCESS_DENIED_CODE

    @property
    def is_column_missing(self) -> bool:
        """Whether the query names a column that does not exist, or no longer does."""
        return self.code in _COLUMN_MISSING_CODES

    @property
    def blames_load(self) -> bool:
        """Whether load or the connection to the store is at fault, so that the error says nothing about any data."""
        return self.code in _RETRY_CODES or self.code in _UNREACHABLE_CODES or self.is_out_of_files

    @property
    def suspect_part(self) -> PartName | None:
        """The part that could not be read; None if nothing suggests that a part is damaged."""
        match = None if self.blames_load else _PART_FILE_PATTERN.search(str(self))
        return PartName(match[1], match[2]) if match else None


class IncompletePart(StoreError):
    """The disk did not accept all files of a part, although the store reported success."""

    def __init__(self) -> None:
        super().__init__("a part was not written completely; the disk is full or broken")


def blames_disk(problem: str) -> bool:
    """Return whether a part could not be read because the disk failed, which says nothing about the data on it."""
    return _DISK_ERROR_PATTERN.search(problem) is not None


class StoreUnavailable(Unavailable):
    """The store cannot answer now, or the question exceeds its limits."""


class StoreBehind(StoreUnavailable):
    """The store lacks events that were acknowledged before, so that what it does not have may exist."""

    def __init__(self) -> None:
        super().__init__("The newest events have not reached the event store yet. Try again.", retry_after=1)


class QuestionTooCostly(StoreUnavailable):
    """The question exceeds its limit of time or memory, and will do so again."""
