"""Opens the file of an import, and determines its format, its compression, and a digest that identifies it."""

import codecs
import gzip
import hashlib
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import BinaryIO, Final, Literal, cast

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.csv_reader import DelimitedReader, opened_text
from tallyroom.import_export.ndjson import read_ndjson
from tallyroom.import_export.row import FileRow, RefusedRow

Format = Literal["ndjson", "csv", "parquet"]

STANDARD_INPUT: Final = Path("-")
_FORMATS: Final[dict[str, Format]] = {
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "ndjson",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
}
_GZIP_SUFFIX: Final = ".gz"
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class SourceUnreadable(TallyroomError):
    """The file cannot be opened, its format is unknown, or it is cut off."""


@dataclass(frozen=True)
class OpenFile:
    """An open file.

    Attributes:
        form: its format.
        rows: its rows, in order; one that cannot be read is a `RefusedRow`.
        columns: of CSV and Parquet; None where each row has its own.
        digest: tells the file, and how it is cut into rows, from any other; None for a stream, which is read only once.
        size: what `progress` reaches in the end, in bytes or rows of Parquet; None when nobody knows.
        progress: how much has been read.
        changed_ms: when the file was written, in ms since 1970 UTC; None for a stream.
        remark: a sentence about columns of CSV that do not look like the right ones; empty if they do.
        nameless: how many cells were left out so far because their column of CSV has no name, by its number, from 1.
    """

    form: Format
    rows: Iterator[FileRow | RefusedRow]
    columns: tuple[str, ...] | None
    digest: bytes | None
    size: int | None
    progress: Callable[[], int]
    changed_ms: int | None
    nameless: Mapping[int, int] = field(default_factory=dict)
    remark: str = ""


@contextmanager
def open_source(path: Path, form: Format | None = None, delimiter: str | None = None) -> Iterator[OpenFile]:
    """The rows of a file, while inside.

    Args:
        path: the file; `STANDARD_INPUT` for a stream.
        form: its format; None leaves that to the suffix.
        delimiter: what separates two cells of CSV; None leaves that to the suffix.

    Raises:
        SourceUnreadable: see there; also while the rows are read.
    """
    suffix = (path.with_suffix("") if _is_zipped(path) else path).suffix.lower()
    file_format = form or _format_of(suffix, path)
    with ExitStack() as stack:
        try:
            if file_format == "parquet":
                yield _parquet(path, stack)
            else:
                yield _opened(path, file_format, delimiter or ("\t" if suffix == ".tsv" else ","), stack)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise SourceUnreadable(f"{path} is damaged or cut off: {error}.") from error
        except OSError as error:
            if error.filename is None:
                raise
            raise SourceUnreadable(f"{error.filename}: {error.strerror}.") from error


def _format_of(suffix: str, path: Path) -> Format:
    if suffix not in _FORMATS:
        suffixes = " ".join(_FORMATS)
        raise SourceUnreadable(f"The format of {path} is unknown: its name ends in none of {suffixes}; add --format.")
    return _FORMATS[suffix]


def _opened(path: Path, form: Format, delimiter: str, stack: ExitStack) -> OpenFile:
    """A file of text, perhaps compressed."""
    file = cast("BufferedReader", sys.stdin.buffer)
    if path != STANDARD_INPUT:
        file = stack.enter_context(path.open("rb"))
    digest, size, progress, changed_ms = None, None, _unknown, None
    about = os.fstat(file.fileno())
    if stat.S_ISREG(about.st_mode):
        changed_ms = _changed_ms(about)
        start = file.tell()  # of standard input somebody may have read a line already
        with _inflated(file, path) as plain_file:  # so that nothing is sent of a compressed file that is cut off
            digest = _digest(plain_file, form, delimiter)
        size, progress = file.tell(), file.tell
        file.seek(start)
    content = stack.enter_context(_inflated(file, path))
    if content.peek(2)[:2] in _UTF_16:
        raise SourceUnreadable(
            f"{_called(path)} is UTF-16; convert it to UTF-8 first, as `iconv -f UTF-16 -t UTF-8` does."
        )
    stream = cast("BinaryIO", content)
    if form == "ndjson":
        return OpenFile(form, read_ndjson(stream), None, digest, size, progress, changed_ms)
    text = opened_text(stream)
    stack.callback(text.detach)  # the file below is closed by who opened it
    table = DelimitedReader(text, delimiter)
    return OpenFile(form, table.rows(), table.columns, digest, size, progress, changed_ms, table.nameless, table.remark)


def _parquet(path: Path, stack: ExitStack) -> OpenFile:
    if path == STANDARD_INPUT or _is_zipped(path):
        raise SourceUnreadable("Parquet has its index at its end: write it to a file, uncompressed.")
    with path.open("rb") as file:
        digest = _digest(file, "parquet")
        changed_ms = _changed_ms(os.fstat(file.fileno()))
    from tallyroom.import_export.parquet import ParquetReader  # noqa: PLC0415 # it loads the ClickHouse engine: 0.1 s, 150 MB

    table = stack.enter_context(closing(ParquetReader(path)))
    return OpenFile("parquet", table.rows(), table.columns, digest, table.count, lambda: table.done, changed_ms)


def _inflated(file: BufferedReader, path: Path) -> AbstractContextManager[BufferedReader | gzip.GzipFile]:
    """What is in the file, which stays open."""
    return gzip.GzipFile(fileobj=file) if _is_zipped(path) else nullcontext(file)


def _digest(file: BufferedIOBase, *reading: str) -> bytes:
    content = hashlib.file_digest(file, "sha256")
    content.update(repr(reading).encode())
    return content.digest()


def _changed_ms(about: os.stat_result) -> int:
    return about.st_mtime_ns // 1_000_000


def _called(path: Path) -> str:
    return "standard input" if path == STANDARD_INPUT else str(path)


def _is_zipped(path: Path) -> bool:
    return path.suffix.lower() == _GZIP_SUFFIX


def _unknown() -> int:
    return 0
