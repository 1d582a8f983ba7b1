"""Reads exported files the way that other programs do."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.stores.directory_counts import run_python

COLUMNS = ["name", "_timestamp", "_actor", "_actorLabel", "_source", "properties"]

_READ_PARQUET = """
import sys
import chdb

for path in sys.argv[1:]:
    table = f"file('{path}', 'Parquet')"
    for sql in (f"DESCRIBE TABLE {table}", f"SELECT * FROM {table} SETTINGS date_time_output_format = 'iso', max_threads = 1"):
        sys.stdout.write(str(chdb.query(sql, "JSONCompactEachRow")) + "\\f")
"""


def read_csv(content: bytes) -> list[list[str]]:
    """The cells of each row, header first; a byte order mark belongs to none of them."""
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))


def read_parquet(path: Path) -> tuple[dict[str, str], list[list[Any]]]:
    """The type of each column, and the rows in order; in a process of its own, which may open another engine path."""
    [found] = read_parquet_files([path])
    return found


def read_parquet_files(paths: Sequence[Path]) -> list[tuple[dict[str, str], list[list[Any]]]]:
    """The same of several files, in one process."""
    *answers, _ = run_python(_READ_PARQUET, *map(str, paths)).split("\f")
    return [
        (
            dict(json.loads(line)[:2] for line in described.splitlines()),
            [json.loads(line) for line in rows.splitlines()],
        )
        for described, rows in zip(answers[::2], answers[1::2], strict=True)
    ]
