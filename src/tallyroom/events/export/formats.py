"""The three formats of an exported file, and the part of each that the ClickHouse engine writes."""

from typing import NamedTuple, Protocol

from tallyroom.events.export.parquet import JoinedParquetFile
from tallyroom.events.export.queries import CSV, JSON_LINES, PARQUET, ExportQueries, OutputFormat
from tallyroom.events.export.schemas import Format

CSV_HEADER = b"name,_timestamp,_actor,_actorLabel,_source,properties\n"


class ExportFile(Protocol):
    """A file that grows by the engine's output for each slice."""

    def build_head(self) -> bytes:
        """How the file begins."""
        ...

    def encode_slice(self, slice_bytes: bytes) -> bytes:
        """What a slice adds."""
        ...

    def build_tail(self) -> bytes:
        """How the file ends."""
        ...


class ExportFormat(NamedTuple):
    """One format.

    Attributes:
        media_type: the `Content-Type`.
        output_format: the engine's part.
        is_compressible: True if compression makes it smaller.
    """

    media_type: str
    output_format: OutputFormat
    is_compressible: bool


EXPORT_FORMATS: dict[Format, ExportFormat] = {
    "ndjson": ExportFormat("application/x-ndjson", JSON_LINES, is_compressible=True),
    "csv": ExportFormat("text/csv; header=present", CSV, is_compressible=True),
    "parquet": ExportFormat("application/vnd.apache.parquet", PARQUET, is_compressible=False),
}


class TextFile:
    """A file of lines that only have to follow one another.

    Args:
        head: a first line.
    """

    def __init__(self, head: bytes = b"") -> None:
        self._head = head

    def build_head(self) -> bytes:
        """The first line, if there is one."""
        return self._head

    def encode_slice(self, slice_bytes: bytes) -> bytes:
        """The lines themselves."""
        return slice_bytes

    def build_tail(self) -> bytes:
        """Nothing."""
        return b""


async def create_file(format_: Format, queries: ExportQueries) -> ExportFile:
    """Return an empty file of a format."""
    if format_ == "parquet":
        return JoinedParquetFile(await queries.fetch_empty_file(PARQUET))
    return TextFile(CSV_HEADER if format_ == "csv" else b"")
