"""A Parquet file as JSON lines. In a process of its own, because each starts an engine."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from harness.servers.child import Interpreter

PRELUDE = """
import json
from pathlib import Path

import chdb
from tallyroom.storage.event_store.parquet import ParquetFile, ParquetUnreadable

def write(path, select):
    connection = chdb.connect(":memory:")
    connection.query(f"INSERT INTO FUNCTION file('{path}', 'Parquet') {select}")
    connection.close()

def read(path):
    try:
        file = ParquetFile(Path(path))
        lines = [line.decode() for line in file.read_lines()]
        found = [file.columns, file.row_count, lines]
        file.close()
        return found
    except ParquetUnreadable as error:
        return error.message
"""

EVERY_TYPE = """
    SELECT toUInt64(18446744073709551615) AS big, 1.5 AS double, toDecimal64(1.25, 4) AS decimal, true AS yes,
        'x"é' AS text, NULL::Nullable(String) AS nothing, nan AS no_number, toDate('2026-11-20') AS day,
        toDateTime64('2026-11-20 12:00:00.123', 3, 'UTC') AS moment, [1, 2] AS list, map('a', 1) AS pairs,
        (1, 'y')::Tuple(k Int32, l String) AS struct
"""


WITHOUT_ZONE = (
    "UEFSMRUAFRwVHCwVBBUAFQYVBhwAAAACAAAAAwFA8sv7s2AGABUAFRwVHCwVBBUAFQYVBhwAAAACAAAAAwF76tP4oQEAABUAFRwVHCwVBBUAFQ"
    "YVBhwAAAACAAAAAwF76tP4oQEAABUEGUw1ABgGc2NoZW1hFQYAFQQlAhgCYXQlFEyMEhwsAAAAAAAVBCUCGAF6JRJMjBEcHAAAAAAAFQQlAhgE"
    "YWBcYiUSTIwSHBwAAAAAABYEGRwZPCYAHBUEGSUGABkYAmF0FQAWBBZCFkImCEkcFQAVABUCADwpBhkmAgIAAAAmABwVBBklBgAZGAF6FQAWBB"
    "ZCFkImSkkcFQAVABUCADwpBhkmAgIAAAAmABwVBBklBgAZGARhYFxiFQAWBBZCFkImjAFJHBUAFQAVAgA8KQYZJgICAAAAFsYBFgQmCBbGAQAo"
    "IHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGTwcAAAcAAAcAAAAEAEAAFBBUjE="
)


def read(child: Interpreter, path: Path) -> Any:
    [said] = child.run("print(json.dumps(read(path)))", path=str(path))
    return json.loads(said)


def write(child: Interpreter, path: Path, select: str) -> None:
    assert child.run("write(path, select)", path=str(path), select=select) == []


@pytest.mark.long
def test_every_type_is_json(child: Interpreter, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write(child, path, EVERY_TYPE)
    columns, count, [line] = read(child, path)
    assert columns == [
        *("big", "double", "decimal", "yes", "text", "nothing", "no_number", "day", "moment", "list", "pairs", "struct")
    ]
    assert count == 1
    assert line == (
        '{"big":18446744073709551615,"double":1.5,"decimal":1.25,"yes":true,"text":"x\\"é","nothing":null,'
        '"no_number":null,"day":"2026-11-20","moment":"2026-11-20T12:00:00.123Z","list":[1,2],"pairs":{"a":1},'
        '"struct":{"k":1,"l":"y"}}'
    )


@pytest.mark.long
def test_rows_come_in_the_order_of_the_file(child: Interpreter, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    settings = "SETTINGS output_format_parquet_row_group_size = 1000"
    write(child, path, f"SELECT number AS n FROM numbers(50000) {settings}")
    assert read(child, path) == [["n"], 50_000, [f'{{"n":{number}}}' for number in range(50_000)]]


def test_a_file_without_rows(child: Interpreter, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write(child, path, "SELECT number AS n FROM numbers(0)")
    assert read(child, path) == [["n"], 0, []]


def test_a_name_is_only_a_name(child: Interpreter, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write(child, path, "SELECT 1 AS n")
    for name in ("it's *.parquet", "{a,b}.parquet", "a?\\.parquet", "no suffix"):
        assert read(child, path.rename(tmp_path / name))[1] == 1
        path = tmp_path / name


def test_other_files_are_refused(child: Interpreter, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write(child, path, "SELECT number AS n FROM numbers(1000)")
    whole = path.read_bytes()
    for content in (b"", b"no parquet", whole[:-9], whole[: len(whole) // 2]):
        path.write_bytes(content)
        assert read(child, path).startswith(f"{path} cannot be read as Parquet")


def test_a_damaged_page_is_refused(child: Interpreter, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write(child, path, "SELECT randomPrintableASCII(50) AS t FROM numbers(20000)")
    content = bytearray(path.read_bytes())
    content[1000:9000] = bytes(8000)
    path.write_bytes(content)
    assert read(child, path).startswith(f"{path} cannot be read as Parquet")


def test_a_time_without_a_zone_gets_none(child: Interpreter, tmp_path: Path) -> None:
    """As pandas and Spark write it; the second column is in UTC. The file is by pyarrow: the engine writes UTC only."""
    path = tmp_path / "a.parquet"
    path.write_bytes(base64.b64decode(WITHOUT_ZONE))
    columns, count, lines = read(child, path)
    assert (columns, count) == (["at", "z", "a`\\b"], 2)
    assert lines == [
        '{"at":"2026-11-20T12:00:00.123456","z":"2026-11-20T12:00:00.123Z","a`\\\\b":"2026-11-20T12:00:00.123"}',
        '{"at":null,"z":null,"a`\\\\b":null}',
    ]
