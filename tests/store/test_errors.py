"""store.errors: what the store says decides whether to wait or to take a block apart."""

import pytest

from tallyroom.store.errors import StoreError


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
        ("Code: 1000. DB::Exception: Poco::Exception. Code: 1000, e.code() = 104", 1000, False, True),
    ],
)
def test_errors_are_told_apart(message: str, code: int, blames_rows: bool, passes: bool) -> None:  # noqa: FBT001
    error = StoreError(message)
    assert (error.code, error.blames_rows, error.passes) == (code, blames_rows, passes)
