"""What a file is, and what tells it from another."""

import gzip
import os
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from tallyroom.import_export.row import FileRow, RefusedRow
from tallyroom.import_export.source import FileFormat, SourceUnreadable, open_source

LINES = b'{"name":"a"}\n{"name":"b"}\n'
TABLE = b"name,n\na,1\nb,2\n"


def read(path: Path, form: FileFormat | None = None, delimiter: str | None = None) -> list[FileRow | RefusedRow]:
    with open_source(path, form, delimiter) as source:
        return list(source.rows)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("f.ndjson", LINES),
        ("f.jsonl", LINES),
        ("f.JSON", LINES),
        ("f.csv", TABLE),
        ("f.CSV", TABLE),
        ("f.tsv", TABLE.replace(b",", b"\t")),
        ("my.events.csv", TABLE),
    ],
)
def test_the_suffix_says_what_it_is_also_below_gz(tmp_path: Path, name: str, content: bytes) -> None:
    plain = read(written(tmp_path / name, content))
    zipped = read(written(tmp_path / f"{name}.gz", gzip.compress(content)))
    assert len(plain) == 2
    assert [(row.line_number, row.display) for row in plain] == [(row.line_number, row.display) for row in zipped]


def test_what_is_told_wins_over_the_suffix(tmp_path: Path) -> None:
    assert len(read(written(tmp_path / "f.txt", LINES), "ndjson")) == 2
    assert len(read(written(tmp_path / "f.gz", gzip.compress(TABLE)), "csv")) == 2
    assert [row.display for row in read(written(tmp_path / "f.csv", b"a|b\n1|2\n"), None, "|")] == [
        {"a": "1", "b": "2"}
    ]


@pytest.mark.parametrize("name", ["f", "f.txt", "f.gz", "f.csv.zip", "-"])
def test_nothing_says_what_it_is(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceUnreadable, match=r"add --format\.$"):
        read(Path(name))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match=r"nosuch\.csv: No such file or directory\.$"):
        read(tmp_path / "nosuch.csv")
    with pytest.raises(SourceUnreadable, match=r"Is a directory\.$"):
        read(tmp_path, "csv")


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(("name", "content"), [("f.csv", TABLE), ("f.ndjson", LINES), ("f.csv.gz", TABLE)])
def test_utf_16_is_told_with_what_converts_it(tmp_path: Path, coding: str, name: str, content: bytes) -> None:
    written_so = f"\ufeff{content.decode()}".encode(coding)
    path = written(tmp_path / name, gzip.compress(written_so) if name.endswith(".gz") else written_so)
    with pytest.raises(SourceUnreadable) as refused:
        read(path)
    assert (
        refused.value.message
        == f"{path} is UTF-16; convert it to UTF-8 first, for example with `iconv -f UTF-16 -t UTF-8`."
    )


def test_a_compressed_file_that_is_damaged(tmp_path: Path) -> None:
    for content in (b"plain text", gzip.compress(TABLE * 1000)[:-20], gzip.compress(TABLE)[:-4] + b"0000"):
        with pytest.raises(SourceUnreadable, match="is damaged or truncated"):
            read(written(tmp_path / "f.csv.gz", content))


def test_what_is_known_beforehand(tmp_path: Path) -> None:
    with open_source(written(tmp_path / "f.csv", TABLE)) as source:
        assert (source.file_format, source.columns, source.progress_total) == ("csv", ("name", "n"), len(TABLE))
        assert len(list(source.rows)) == 2
        assert source.read_progress() == len(TABLE)
    with open_source(written(tmp_path / "f.ndjson.gz", gzip.compress(LINES))) as source:
        assert (source.file_format, source.columns, source.progress_total) == (
            "ndjson",
            None,
            len(gzip.compress(LINES)),
        )
        assert len(list(source.rows)) == 2
        assert source.read_progress() == source.progress_total


def digest(path: Path, form: FileFormat | None = None, delimiter: str | None = None) -> bytes | None:
    with open_source(path, form, delimiter) as source:
        return source.digest


def test_the_digest_tells_content_and_reading_but_not_the_name(tmp_path: Path) -> None:
    first = digest(written(tmp_path / "a.csv", TABLE))
    assert first is not None
    assert digest(written(tmp_path / "b.csv", TABLE)) == first
    others = [
        digest(written(tmp_path / "c.csv", TABLE + b"c,3\n")),
        digest(tmp_path / "a.csv", delimiter=";"),
        digest(tmp_path / "a.csv", "ndjson"),
    ]
    assert len({first, *others}) == 4


def test_a_pipe_has_neither_size_nor_digest(tmp_path: Path) -> None:
    pipe = tmp_path / "f.ndjson"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=(LINES,), daemon=True).start()
    with open_source(pipe) as source:
        assert (source.digest, source.progress_total) == (None, None)
        assert len(list(source.rows)) == 2
        assert source.read_progress() == 0


@pytest.mark.parametrize("name", ["-", "f.parquet.gz"])
def test_parquet_cannot_come_as_a_stream(name: str) -> None:
    with pytest.raises(SourceUnreadable, match="write it to an uncompressed file"):
        read(Path(name), "parquet")


def test_how_a_file_is_compressed_makes_no_other_file(tmp_path: Path) -> None:
    first = digest(written(tmp_path / "a.csv", TABLE))
    assert digest(written(tmp_path / "a.csv.gz", gzip.compress(TABLE, 1))) == first
    assert digest(written(tmp_path / "b.csv.gz", gzip.compress(TABLE, 9))) == first


def test_nothing_is_read_of_a_compressed_file_that_is_cut_off(tmp_path: Path) -> None:
    """Its first rows would count once more when the whole file comes."""
    path = written(tmp_path / "f.ndjson.gz", gzip.compress(LINES * 100_000)[:-20])
    with pytest.raises(SourceUnreadable, match="is damaged or truncated"), open_source(path):
        pytest.fail("it was opened")


def test_standard_input_begins_where_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As behind a `read` of the shell, which took the first line."""
    with written(tmp_path / "f", b"# a comment\n" + TABLE).open("rb") as file:
        file.readline()
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=file))
        with open_source(Path("-"), "csv") as source:
            assert source.columns == ("name", "n")
            assert len(list(source.rows)) == 2
            assert source.digest == digest(written(tmp_path / "f.csv", TABLE))
