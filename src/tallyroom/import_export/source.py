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
from tallyroom.import_export.csv_reader import DelimitedReader, open_text
from tallyroom.import_export.ndjson import read_line, read_ndjson
from tallyroom.import_export.row import FileRow, RefusedRow

FileFormat = Literal["ndjson", "csv", "parquet"]

STANDARD_INPUT: Final = Path("-")
_FORMAT_BY_SUFFIX: Final[dict[str, FileFormat]] = {
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "ndjson",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
}
_UTF_16_BOMS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class SourceUnreadable(TallyroomError):
    """The file cannot be opened, its format is unknown, or it is cut off."""


@dataclass(frozen=True)
class SourceFile:
    """An open file; `columns` is None if each row has its own, `header_remark` and nameless columns are from CSV.

    `digest` identifies the file and how it is split into rows; it and `modified_ms`, in ms since 1970 UTC, are None for
    a stream. `read_progress` returns how many bytes, or rows of Parquet, of `progress_total` have been read.
    """

    file_format: FileFormat
    rows: Iterator[FileRow | RefusedRow]
    columns: tuple[str, ...] | None
    digest: bytes | None
    progress_total: int | None
    read_progress: Callable[[], int]
    modified_ms: int | None
    nameless_count_by_column: Mapping[int, int] = field(default_factory=dict)
    header_remark: str = ""


@contextmanager
def open_source(
    path: Path, format_option: FileFormat | None = None, delimiter: str | None = None
) -> Iterator[SourceFile]:
    """Open a file; if `format_option` or `delimiter` is None, the suffix determines it. `STANDARD_INPUT` is a stream.

    Raises `SourceUnreadable`, also while the rows are read.
    """
    suffix = (path.with_suffix("") if _is_gzip(path) else path).suffix.lower()
    file_format = format_option or _detect_format(suffix, path)
    with ExitStack() as stack:
        try:
            if file_format == "parquet":
                yield _open_parquet(path, stack)
            else:
                yield _open_text(path, file_format, delimiter or ("\t" if suffix == ".tsv" else ","), stack)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise SourceUnreadable(f"{path} is damaged or truncated: {error}.") from error
        except OSError as error:
            if error.filename is None:
                raise
            raise SourceUnreadable(f"{error.filename}: {error.strerror}.") from error


def _detect_format(suffix: str, path: Path) -> FileFormat:
    if suffix not in _FORMAT_BY_SUFFIX:
        suffixes = " ".join(_FORMAT_BY_SUFFIX)
        raise SourceUnreadable(
            f"The format of {path} is unknown: its name does not end in any of {suffixes}; add --format."
        )
    return _FORMAT_BY_SUFFIX[suffix]


def _open_text(path: Path, file_format: FileFormat, delimiter: str, stack: ExitStack) -> SourceFile:
    file = cast("BufferedReader", sys.stdin.buffer)
    if path != STANDARD_INPUT:
        file = stack.enter_context(path.open("rb"))
    digest, progress_total, modified_ms = None, None, None
    read_progress: Callable[[], int] = int
    file_stat = os.fstat(file.fileno())
    if stat.S_ISREG(file_stat.st_mode):
        modified_ms = file_stat.st_mtime_ns // 1_000_000
        start_offset = file.tell()  # a line of standard input may have been read already
        with _decompress(file, path) as plain_file:  # so that nothing of a truncated compressed file is sent
            digest = _compute_digest(plain_file, file_format, delimiter)
        progress_total, read_progress = file.tell(), file.tell
        file.seek(start_offset)
    plain_content = stack.enter_context(_decompress(file, path))
    if plain_content.peek(2)[:2] in _UTF_16_BOMS:
        name = "standard input" if path == STANDARD_INPUT else path
        raise SourceUnreadable(
            f"{name} is UTF-16; convert it to UTF-8 first, for example with `iconv -f UTF-16 -t UTF-8`."
        )
    stream = cast("BinaryIO", plain_content)
    if file_format == "ndjson":
        return SourceFile(file_format, read_ndjson(stream), None, digest, progress_total, read_progress, modified_ms)
    text = open_text(stream)
    stack.callback(text.detach)  # the caller closes the underlying file
    reader = DelimitedReader(text, delimiter)
    rows, columns = reader.iter_rows(), reader.columns
    nameless_counts, remark = reader.nameless_count_by_column, reader.header_remark
    return SourceFile(
        file_format, rows, columns, digest, progress_total, read_progress, modified_ms, nameless_counts, remark
    )


def _open_parquet(path: Path, stack: ExitStack) -> SourceFile:
    if path == STANDARD_INPUT or _is_gzip(path):
        raise SourceUnreadable(
            "Parquet cannot be read from standard input or a gzip file: write it to an uncompressed file."
        )
    with path.open("rb") as file:
        digest = _compute_digest(file, "parquet")
        modified_ms = os.fstat(file.fileno()).st_mtime_ns // 1_000_000
    from tallyroom.storage.event_store.parquet import ParquetFile  # noqa: PLC0415 # it loads the ClickHouse engine: 0.1 s, 150 MB

    parquet_file = stack.enter_context(closing(ParquetFile(path)))
    read_count = 0

    def iter_rows() -> Iterator[FileRow | RefusedRow]:
        nonlocal read_count
        for line in parquet_file.read_lines():
            read_count += 1
            yield read_line(read_count, line)

    columns, row_count = parquet_file.columns, parquet_file.row_count
    return SourceFile("parquet", iter_rows(), columns, digest, row_count, lambda: read_count, modified_ms)


def _decompress(file: BufferedReader, path: Path) -> AbstractContextManager[BufferedReader | gzip.GzipFile]:
    return gzip.GzipFile(fileobj=file) if _is_gzip(path) else nullcontext(file)


def _compute_digest(file: BufferedIOBase, *format_options: str) -> bytes:
    content_hash = hashlib.file_digest(file, "sha256")
    content_hash.update(repr(format_options).encode())
    return content_hash.digest()


def _is_gzip(path: Path) -> bool:
    return path.suffix.lower() == ".gz"
