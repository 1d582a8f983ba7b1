"""Reads NDJSON: one JSON object per line."""

from collections.abc import Iterator
from typing import BinaryIO, Final

import msgspec
from msgspec import Raw

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.row import FileRow, RefusedRow

MAX_LINE_BYTES: Final = 8 * 1024**2
_MAX_DISPLAY_BYTES: Final = 200
_BOM: Final = b"\xef\xbb\xbf"

_decode_object = msgspec.json.Decoder(dict[str, Raw]).decode


class NotNdjson(TallyroomError):
    """The file is JSON in another form."""


def read_ndjson(stream: BinaryIO) -> Iterator[FileRow | RefusedRow]:
    """Yield the rows of `stream` in order, without blank lines; raise `NotNdjson` if the file is one JSON array."""
    for line_number, line in enumerate(_read_lines(stream), start=1):
        if len(line) > MAX_LINE_BYTES:
            yield RefusedRow(line_number, f"the line has more than {MAX_LINE_BYTES} bytes", line[:_MAX_DISPLAY_BYTES])
            continue
        json_text = (line.removeprefix(_BOM) if line_number == 1 else line).strip(b" \t\r\n")
        if line_number == 1 and json_text.startswith(b"["):
            raise NotNdjson("The file is one JSON array; write one object per line, for example with `jq -c '.[]'`.")
        if json_text:
            yield read_line(line_number, json_text)


def read_line(line_number: int, json_text: bytes) -> FileRow | RefusedRow:
    """Return the row of one line without surrounding white space."""
    try:
        return FileRow(line_number, _decode_object(json_text), json_text)
    except msgspec.ValidationError:
        return RefusedRow(line_number, "the line is not a JSON object", json_text)
    except (msgspec.MsgspecError, UnicodeError) as error:
        return RefusedRow(line_number, f"the line is not JSON: {error}", json_text)
    except RecursionError:
        return RefusedRow(line_number, "the line is nested too deeply", json_text)


def _read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; a line that is too long is cut just above the limit, so that it cannot fill the memory."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        yield line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES + 1)
