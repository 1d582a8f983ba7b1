"""What the store says decides whether to wait or to take a block apart."""

import pytest

from tallyroom.storage.event_store.errors import PartName, StoreError, blames_disk


@pytest.mark.parametrize(
    ("message", "code", "blames_rows", "passes"),
    [
        ("Code: 27. DB::Exception: Cannot parse input", 27, True, False),
        ("Code: 252. DB::Exception: Too many parts (300 with average size 1.00 MiB)", 252, False, True),
        ("Code: 241. DB::Exception: Memory limit exceeded", 241, False, True),
        ("Code: 47. DB::Exception: Unknown identifier", 47, False, False),
        ("the connection is closed", 0, False, False),
        ("Code: 32. DB::Exception: Attempt to read after eof", 32, False, True),
        ("Code: 33. DB::Exception: Cannot read all data. Bytes read: 10. Bytes expected: 20.", 33, False, True),
        ("Code: 26. DB::Exception: Cannot parse JSON string: expected closing quote: Buffer has gone", 26, False, True),
        ("Code: 209. DB::NetException: Timeout exceeded while reading from socket", 209, False, True),
        ("Code: 210. DB::NetException: Connection reset by peer", 210, False, True),
        (
            "Code: 573. DB::ErrnoException: Cannot open epoll descriptor: , errno: 24, strerror: Too many open files",
            573,
            False,
            True,
        ),
        (
            "Failed to create connection: Code: 36. DB::Exception: filesystem error: in remove_all: Too many open files",
            36,
            False,
            True,
        ),
        ("[Errno 24] Too many open files: '/proc/self/fd/7/store'", 0, False, True),
        ("[Errno 23] Too many open files in system: '/proc/self/fd/7/store'", 0, False, True),
        ('Code: 27. DB::Exception: Cannot parse input before: "Too many open files"', 27, True, False),
        ("Code: 1000. DB::Exception: Poco::Exception. Code: 1000, e.code() = 104", 1000, False, True),
    ],
)
def test_errors_are_told_apart(message: str, code: int, blames_rows: bool, passes: bool) -> None:
    error = StoreError(message)
    assert (error.code, error.blames_rows, error.is_transient) == (code, blames_rows, passes)


PART = "/data/events/store/137/1372a512-a658-4e52-9db7-2f039e182459/202610_2_9_1_14"
FOLDER = "1372a512-a658-4e52-9db7-2f039e182459"


@pytest.mark.parametrize(
    ("message", "part"),
    [
        (f"Code: 40. DB::Exception: Checksum doesn't match: While reading or decompressing {PART}/data.bin", True),
        (f"Code: 107. DB::Exception: Cannot open file {PART}/data.bin: , errno: 2, strerror: No such file", True),
        (f'Code: 1001. DB::Exception: filesystem error: in file_size: No such file ["{PART}/data.cmrk4"]', True),
        (f"Code: 33. DB::Exception: Cannot read all data: (while reading from part {PART}/ in table events)", True),
        (f"Code: 117. DB::Exception: Incorrect data: (while reading from part {PART}/ in table events)", True),
        (f"Code: 241. DB::Exception: Memory limit exceeded: (while reading from part {PART}/)", False),
        (f"Code: 243. DB::Exception: no space: {PART.replace('/2026', '/tmp_insert_2026')}/data.bin", False),
        (
            f"Code: 76. DB::Exception: Cannot open file {PART}/data.bin: , errno: 24, strerror: Too many open files",
            False,
        ),
        ("Code: 47. DB::Exception: Unknown identifier", False),
    ],
)
def test_an_error_names_the_part_that_cannot_be_read(message: str, part: bool) -> None:  # a case
    error = StoreError(message)
    assert error.suspect_part == (PartName(FOLDER, "202610_2_9_1_14") if part else None)
    assert not error.blames_rows, "a damaged part is no reason to put an event aside"


def test_a_disk_that_fails_says_nothing_about_a_part() -> None:
    assert blames_disk("Code: 74. Cannot read from file data.bin, errno: 5, strerror: Input/output error")
    assert not blames_disk("Code: 107. Cannot open file data.bin: , errno: 2, strerror: No such file or directory")
    assert not blames_disk("Code: 40. Checksum doesn't match")


def test_a_text_that_is_too_long_is_known() -> None:
    said = "Code: 62. DB::Exception: Max query size exceeded (can be increased with the `max_query_size` setting)"
    assert StoreError(said).is_query_too_long
    assert not StoreError("Code: 62. DB::Exception: Syntax error").is_query_too_long
