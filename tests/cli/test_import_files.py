"""`tallyroom import events` with every kind of file."""

import gzip
import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.clients.actor import actor, counts
from harness.clients.import_command import events, ndjson, numbers, one_sentence, run, run_here
from harness.clients.workspace import Workspace, sign_up
from harness.servers.child import run_child
from harness.servers.server import Server
from harness.suite.few import few

NOON = (datetime.now(UTC) - timedelta(hours=1)).replace(microsecond=0)
TABLE = (
    "\ufeffwhen,user,full name,action,total,zip,note\r\n"
    f'{NOON:%Y-%m-%dT%H:%M:%SZ},u-1,"Ann ""A"" Lee",buy,12.50,01234,"two\r\nlines, one cell"\r\n'
    f"{NOON.timestamp():.0f},u-1,,buy,3,5,\r\n"
    "bad,u-2,,buy,,,\r\n"
    ",u-3,,look,,,ü\r\n"
).encode()
COLUMNS = ("--name", "action", "--actor", "user", "--actor-label", "full name", "--timestamp", "when", "--text", "zip")


def check_table(workspace: Workspace, done: subprocess.CompletedProcess[bytes]) -> None:
    assert numbers(done) == (4, 3, 0, 1)
    assert done.stderr.decode() == "line 5: timestamp: 'bad' is not an ISO 8601 date-time\n"
    assert counts(workspace) == {"u-1": 2, "u-3": 1}
    first = actor(workspace, "u-1")
    assert first["label"] == 'Ann "A" Lee'
    assert {event["timestamp"] for event in first["timeline"]} == {f"{NOON:%Y-%m-%dT%H:%M:%S}.000Z"}
    assert sorted(json.dumps(event["properties"], sort_keys=True) for event in first["timeline"]) == [
        '{"note": "two\\r\\nlines, one cell", "total": 12.5, "zip": "01234"}',
        '{"total": 3, "zip": "5"}',
    ]
    assert actor(workspace, "u-3")["timeline"][0]["properties"] == {"note": "ü"}


@pytest.mark.long
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_csv(workspace: Workspace, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(TABLE) if name.endswith(".gz") else TABLE)
    check_table(workspace, run_here(workspace, tmp_path / name, *COLUMNS, exits=1))


@pytest.mark.long
def test_csv_from_standard_input(workspace: Workspace) -> None:
    check_table(workspace, run(workspace, "-", "--format", "csv", *COLUMNS, given=TABLE, exits=1))
    again = run_here(workspace, "-", "--format", "csv", *COLUMNS, given=TABLE, exits=1)
    assert numbers(again) == (4, 0, 3, 1)


def test_ndjson_from_standard_input_with_a_longer_end(workspace: Workspace) -> None:
    def given(count: int) -> bytes:
        return "".join(json.dumps(event) + "\n" for event in events(count)).encode()

    assert numbers(run_here(workspace, "-", "--format", "ndjson", given=given(1000))) == (1000, 1000, 0, 0)
    assert numbers(run_here(workspace, "-", "--format", "ndjson", given=given(1700))) == (1700, 700, 1000, 0)


def test_nested_ndjson(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"type":"buy","user":{"id":17},"data":{"total":1.5,"user":"x"},"secret":1}\n')
    options = ("--name", "type", "--actor", "user.id", "--properties", "data", "--property", "who=user.id")
    done = run_here(workspace, path, *options, "--ignore", "secret", "--ignore", "user")
    assert numbers(done) == (1, 1, 0, 0)
    [event] = actor(workspace, "17")["timeline"]
    assert event["properties"] == {"total": 1.5, "user": "x", "who": 17}


WRITE_PARQUET = """
    import chdb, sys
    connection = chdb.connect(":memory:")
    connection.query(
        f"INSERT INTO FUNCTION file('{sys.argv[1]}', 'Parquet') SELECT 'step' AS what, number % 50 AS user,"
        " toDateTime64(now() - number, 3, 'UTC') AS at, number AS n, NULL::Nullable(String) AS nothing FROM numbers(3000)"
    )
    connection.close()
"""


@pytest.fixture(scope="module")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parquet") / "events.parquet"
    run_child(WRITE_PARQUET, path)
    return path


@pytest.mark.long
def test_parquet(workspace: Workspace, parquet: Path) -> None:
    options = ("--name", "what", "--actor", "user", "--timestamp", "at")
    assert numbers(run(workspace, parquet, *options)) == (3000, 3000, 0, 0)
    assert numbers(run(workspace, parquet, *options)) == (3000, 0, 3000, 0)
    assert counts(workspace) == {str(user): 60 for user in range(50)}
    [newest, *_] = actor(workspace, "0")["timeline"]
    assert newest["properties"] == {"n": 0}


@pytest.mark.parametrize(
    ("name", "content"), [("e.ndjson", b""), ("e.csv", b"name\n"), ("e.ndjson.gz", gzip.compress(b"", mtime=0))]
)
def test_an_empty_file(workspace: Workspace, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    done = run_here(workspace, tmp_path / name)
    assert (numbers(done), done.stderr) == ((0, 0, 0, 0), b"")


def test_an_export_of_another_product(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text(
        json.dumps({"event": "Bought", "properties": {"distinct_id": "ann", "time": int(NOON.timestamp())}})
    )
    assert numbers(run_here(workspace, path, "--from", "mixpanel")) == (1, 1, 0, 0)
    assert counts(workspace) == {"ann": 1}


def test_an_option_wins_over_the_product(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text('{"event":"seen","distinct_id":"d","person_id":"p","properties":{}}')
    assert numbers(run_here(workspace, path, "--from", "posthog", "--actor", "person_id")) == (1, 1, 0, 0)
    assert counts(workspace) == {"p": 1}


@pytest.fixture(scope="module")
def anybody(server: Server) -> Workspace:
    """For imports that send nothing."""
    return sign_up(server.url)


@few(
    2,
    ("arguments", "words"),
    [
        (("nosuch.csv",), "nosuch.csv: No such file or directory."),
        (("t.csv",), "no column name, so its events have no name"),
        (("t.csv", "--name", "nosuch"), "no column nosuch; its columns are: when, user, full name"),
        (("t.csv", "--name", "action", "--ignore", "nosuch"), "no column nosuch"),
        (("t.csv", "--name", "action", "--property", "x"), "--property x does not have the form NEW=COLUMN."),
        (
            ("t.csv", "--name", "action", "--timezone", "Berlin"),
            "--timezone Berlin is not an IANA time zone, such as Europe/Berlin or UTC; did you mean Europe/Berlin?",
        ),
        (("t.csv", "--from", "plausible"), "not one of the CSV files of Plausible's export"),
        (("t.csv", "--format", "parquet", "--event", "e"), "t.csv cannot be read as Parquet"),
        (("-",), "add --format."),
        (("t.csv", "--delimiter", "ab"), "'ab' cannot separate cells"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    anybody: Workspace, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    (tmp_path / "t.csv").write_bytes(TABLE)
    file = tmp_path / arguments[0] if arguments[0] != "-" else "-"
    done = (run if "parquet" in arguments else run_here)(anybody, file, *arguments[1:], exits=1)
    assert len(done.stderr.splitlines()) == 1
    one_sentence(done, words)
    assert done.stdout == b""


def test_the_file_is_never_overwritten(anybody: Workspace, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "events.ndjson", events(3))
    one_sentence(run_here(anybody, path, "--refused", path, exits=1), "--refused cannot name the file being imported.")
    assert len(path.read_text().splitlines()) == 3


def test_a_preview_sends_nothing(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(TABLE)
    done = run_here(workspace, tmp_path / "t.csv", *COLUMNS, "--preview", 1)
    [line] = done.stdout.decode().splitlines()
    assert json.loads(line)["_actor"] == "u-1"
    assert counts(workspace) == {}


def test_a_preview_shows_so_many_rows_in_all(anybody: Workspace, tmp_path: Path) -> None:
    rows = [b"," if number % 3 else b"bought,u" for number in range(300)]
    (tmp_path / "t.csv").write_bytes(b"\n".join([b"action,user", b",x", *rows, b""]))
    done = run_here(anybody, tmp_path / "t.csv", "--name", "action", "--preview", 2)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr.splitlines() == [b"line 2: name: action is missing or empty"]


@pytest.mark.parametrize("header", ["event;user", '"event";"user"'])
def test_another_delimiter_is_asked_for(anybody: Workspace, tmp_path: Path, header: str) -> None:
    (tmp_path / "t.csv").write_text(f"{header}\nbought;u\n")
    for named in ("event", "user"):
        done = run_here(anybody, tmp_path / "t.csv", "--name", named, "--preview", 1, exits=1)
        one_sentence(done, "If ; separates the cells, add --delimiter ';'.")
    done = run_here(anybody, tmp_path / "t.csv", "--name", "event", "--preview", 1, "--delimiter", ";")
    assert b'"bought"' in done.stdout


ENGINE_LOADED = """
    import sys
    from tallyroom.cli.main import app
    try:
        app(["import", "events", sys.argv[1], "--event", "e", "--preview", "1"])
    except SystemExit:
        pass
    print("chdb" in sys.modules)
"""


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")
def test_the_engine_is_loaded_for_parquet_alone(parquet: Path, tmp_path: Path) -> None:
    assert run_child(ENGINE_LOADED, parquet).stdout.endswith("True\n")
    assert run_child(ENGINE_LOADED, ndjson(tmp_path / "events.ndjson", events(1))).stdout.endswith("False\n")
