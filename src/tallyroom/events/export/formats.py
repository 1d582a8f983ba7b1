"""The three formats of an exported file, and the part of each that the ClickHouse engine writes."""

from typing import NamedTuple, Protocol

from tallyroom.events.export.parquet import JoinedParquetFile
from tallyroom.events.export.queries import CSV, LINES, PARQUET, ExportQueries, OutputFormat
from tallyroom.events.export.schemas import Format

CSV_HEADER = b"name,_timestamp,_actor,_actorLabel,_source,properties\n"


class ExportFile(Protocol):
    """A file that grows by the engine's output for each slice."""

    def head(self) -> bytes:
        """How the file begins."""
        ...

    def add(self, part: bytes) -> bytes:
        """What a slice adds."""
        ...

    def tail(self) -> bytes:
        """How the file ends."""
        ...


class ExportFormat(NamedTuple):
    """One format.

    Attributes:
        media_type: the `Content-Type`.
        writing: the engine's part.
        compressible: True if compression makes it smaller.
    """

    media_type: str
    writing: OutputFormat
    compressible: bool


FORMS: dict[Format, ExportFormat] = {
    "ndjson": ExportFormat("application/x-ndjson", LINES, compressible=True),
    "csv": ExportFormat("text/csv; header=present", CSV, compressible=True),
    "parquet": ExportFormat("application/vnd.apache.parquet", PARQUET, compressible=False),
}


class TextFile:
    """A file of lines that only have to follow one another.

    Args:
        head: a first line.
    """

    def __init__(self, head: bytes = b"") -> None:
        self._head = head

    def head(self) -> bytes:
        """The first line, if there is one."""
        return self._head

    def add(self, part: bytes) -> bytes:
        """The lines themselves."""
        return part

    def tail(self) -> bytes:
        """Nothing."""
        return b""


async def new_file(format_: Format, queries: ExportQueries) -> ExportFile:
    """Return an empty file of a format."""
    if format_ == "parquet":
        return JoinedParquetFile(await queries.nothing(PARQUET))
    return TextFile(CSV_HEADER if format_ == "csv" else b"")
