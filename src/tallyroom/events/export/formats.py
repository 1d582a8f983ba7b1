"""The three formats of an exported file, and the part of each that the ClickHouse engine writes."""

from typing import NamedTuple, Protocol

from tallyroom.events.export.parquet import JoinedParquetFile
from tallyroom.events.export.queries import CSV, JSON_LINES, PARQUET, ExportQueries, OutputFormat
from tallyroom.events.export.schemas import Format

CSV_HEADER = b"name,_timestamp,_actor,_actorLabel,_source,properties\n"


class ExportFile(Protocol):
    """A file that grows by the engine's output for each slice."""

    def build_head(self) -> bytes:
        """Return the beginning of the file."""

    def encode_slice(self, slice_bytes: bytes) -> bytes:
        """Return the bytes that a slice adds."""

    def build_tail(self) -> bytes:
        """Return the end of the file."""


class ExportFormat(NamedTuple):
    """One format; `media_type` is its `Content-Type`, and `output_format` the engine's part."""

    media_type: str
    output_format: OutputFormat
    is_compressible: bool


EXPORT_FORMATS: dict[Format, ExportFormat] = {
    "ndjson": ExportFormat("application/x-ndjson", JSON_LINES, is_compressible=True),
    "csv": ExportFormat("text/csv; header=present", CSV, is_compressible=True),
    "parquet": ExportFormat("application/vnd.apache.parquet", PARQUET, is_compressible=False),
}


class TextFile:
    """A file of lines that only have to follow one another, after the line `head`."""

    def __init__(self, head: bytes = b"") -> None:
        self._head = head

    def build_head(self) -> bytes:
        """Return the first line, if there is one."""
        return self._head

    def encode_slice(self, slice_bytes: bytes) -> bytes:
        """Return the lines themselves."""
        return slice_bytes

    def build_tail(self) -> bytes:
        """Return nothing."""
        return b""


async def create_file(format_: Format, queries: ExportQueries) -> ExportFile:
    """Return an empty file of a format."""
    if format_ == "parquet":
        return JoinedParquetFile(await queries.fetch_empty_file(PARQUET))
    return TextFile(CSV_HEADER if format_ == "csv" else b"")
