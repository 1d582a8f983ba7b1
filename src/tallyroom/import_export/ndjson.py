"""Reads NDJSON: one JSON object a line."""

from collections.abc import Iterator
from typing import BinaryIO, Final

import msgspec
from msgspec import Raw

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.row import FileRow, RefusedRow

MAX_LINE_BYTES: Final = 8 * 1024**2
_SHOWN_BYTES: Final = 200
_BOM: Final = b"\xef\xbb\xbf"

_decode = msgspec.json.Decoder(dict[str, Raw]).decode


class NotNdjson(TallyroomError):
    """The file is JSON of another form."""


def read_ndjson(stream: BinaryIO) -> Iterator[FileRow | RefusedRow]:
    """The rows of `stream`, in order; blank lines are none.

    Raises:
        NotNdjson: the file is one JSON array.
    """
    for number, line in enumerate(_lines(stream), start=1):
        if len(line) > MAX_LINE_BYTES:
            yield RefusedRow(number, f"the line has more than {MAX_LINE_BYTES} bytes", line[:_SHOWN_BYTES])
            continue
        text = (line.removeprefix(_BOM) if number == 1 else line).strip(b" \t\r\n")
        if number == 1 and text.startswith(b"["):
            raise NotNdjson("The file is one JSON array; write one object per line, as `jq -c '.[]'` does.")
        if text:
            yield read_line(number, text)


def read_line(number: int, text: bytes) -> FileRow | RefusedRow:
    """The row of one line without white space around it."""
    try:
        return FileRow(number, _decode(text), text)
    except msgspec.ValidationError:
        return RefusedRow(number, "the line is not a JSON object", text)
    except (msgspec.MsgspecError, UnicodeError) as error:
        return RefusedRow(number, f"the line is not JSON: {error}", text)
    except RecursionError:
        return RefusedRow(number, "the line is nested too deeply", text)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines; one that is too long is cut just beyond the limit, so that no line fills the memory."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        yield line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES + 1)
