"""`tallyroom export`: a file that is whole, or a sentence and no file."""

import gzip
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from harness.clients.workspace import PASSWORD, Workspace, sign_up
from harness.oracles.export_files import COLUMNS, read_csv, read_parquet
from harness.servers.command import call, refusal, tallyroom
from harness.servers.server import Server

EVENTS = [{"name": f"e{day}", "_timestamp": f"2024-02-{day}T12:00:00.000Z"} for day in (27, 28, 29)]


@pytest.fixture(scope="module")
def three(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    assert workspace.send({"events": EVENTS}).status_code == 202
    assert workspace.send({"name": "dev"}, key=workspace.make_key("development")[0]).status_code == 202
    return workspace


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "options", "form"),
    [
        ("a.ndjson", [], "ndjson"),
        ("a.jsonl", [], "ndjson"),
        ("a", [], "ndjson"),
        ("a.csv", [], "csv"),
        ("a.CSV", [], "csv"),
        ("a.parquet", [], "parquet"),
        ("a.csv", ["--format", "ndjson"], "ndjson"),
        ("a.csv.gz", [], "csv"),
        ("-", [], "ndjson"),
        ("-", ["--format", "csv"], "csv"),
    ],
)
def test_a_file_in_each_form(three: Workspace, tmp_path: Path, name: str, options: list[str], form: str) -> None:
    path = tmp_path / name
    output = "-" if name == "-" else path
    command = tallyroom if name in {"-", "a.parquet"} else call
    done = command("export", "-o", output, *options, url=three.url, token=three.session_token)
    assert done.returncode == 0, done.stderr
    content = done.stdout.encode() if name == "-" else path.read_bytes()
    content = gzip.decompress(content) if name.endswith(".gz") else content
    if form == "ndjson":
        assert [json.loads(line) for line in content.splitlines()] == EVENTS
    elif form == "csv":
        assert [row[:2] for row in read_csv(content)[1:]] == [list(event.values()) for event in EVENTS]
    else:
        types, rows = read_parquet(path)
        assert list(types) == COLUMNS
        assert [row[:2] for row in rows] == [list(event.values()) for event in EVENTS]
    assert done.stderr.startswith("Exported: " if name == "-" else f"{path}: ")
    assert form == "parquet" or "3 events, " in done.stderr
    assert three.session_token not in done.stdout + done.stderr


@pytest.mark.long
def test_which_events(three: Workspace, tmp_path: Path) -> None:
    span = ["--from", "2024-02-28", "--to", "2024-02-29T12:00:00Z"]
    done = call("export", "-o", "-", *span, url=three.url, token=three.session_token)
    assert [json.loads(line)["name"] for line in done.stdout.splitlines()] == ["e28"]
    done = call("export", "-o", "-", "--environment", "development", url=three.url, token=three.session_token)
    assert [json.loads(line)["name"] for line in done.stdout.splitlines()] == ["dev"]


@pytest.mark.parametrize(
    ("options", "settings", "said"),
    [
        (["--environment", "nowhere"], {}, "400: environment is not an environment of this workspace"),
        (["--from", "x"], {}, "400: from is not an ISO 8601 date"),
        ([], {"token": "trs_" + "x" * 43}, "this token (401)"),
        ([], {"token": ""}, "TALLYROOM_TOKEN"),
        ([], {"url": "http://127.0.0.1:1"}, "refused"),
        ([], {"url": "nowhere"}, "not the address of a server"),
    ],
)
def test_a_refusal_is_a_sentence_and_no_file(
    three: Workspace, tmp_path: Path, options: list[str], settings: dict[str, str], said: str
) -> None:
    given = {"url": three.url, "token": three.session_token} | settings
    assert said in refusal(call("export", "-o", tmp_path / "a.csv", *options, **given))
    assert list(tmp_path.iterdir()) == []


def test_a_token_on_the_command_line_wins(three: Workspace) -> None:
    done = call("export", "-o", "-", "--token", three.session_token, url=three.url, token="trs_x")
    assert done.returncode == 0, done.stderr


def test_nobody_reads_the_output(three: Workspace) -> None:
    command = [
        sys.executable,
        "-m",
        "tallyroom",
        "export",
        "-o",
        "-",
        "--url",
        three.url,
        "--token",
        three.session_token,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        said = running.stderr.read()
        assert running.wait(30) == 1
    assert said == "tallyroom: The program that reads the output has exited.\n"


@pytest.mark.long
def test_without_a_token_a_person_is_asked(three: Workspace, tmp_path: Path) -> None:
    """On a terminal of its own; the session that it makes ends with the export."""
    path = tmp_path / "a.ndjson"
    command = [sys.executable, "-m", "tallyroom", "export", "-o", str(path), "--url", three.url]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.pop("TALLYROOM_TOKEN", None)
        os.execv(command[0], command)
    said = b""
    for answer in (three.email, PASSWORD):
        while b": " not in said:
            said += os.read(terminal, 1000)
        said = b""
        os.write(terminal, f"{answer}\n".encode())
    while piece := read(terminal):
        said += piece
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, said
    assert PASSWORD.encode() not in said
    assert [json.loads(line) for line in path.read_bytes().splitlines()] == EVENTS


def read(terminal: int) -> bytes:
    """What was written since; nothing when the other end is closed, which the system calls an error."""
    try:
        return os.read(terminal, 1000)
    except OSError:
        return b""
