"""The command: flags win over variables, and a refusal is one sentence with exit code 1."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from harness.clients.workspace import sign_up
from harness.servers.command import call as in_this_process
from harness.servers.events_server import FrontServer
from harness.servers.one_of_several import SECRET_KEY
from harness.servers.redis import RedisServer
from harness.servers.server import Server
from tallyroom.cli import main
from tallyroom.core.data_directory import DATABASE_FILE
from tallyroom.core.settings import Settings
from tallyroom.core.version import running_version
from tallyroom.server import serve as server

# The command reads sys.argv, which the framework suspects inside a test.
pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")


_IMPLEMENTATION = "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"


def run(
    *arguments: str, also: Mapping[str, str] = MappingProxyType({}), **variables: str
) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {f"TALLYROOM_{name}": value for name, value in variables.items()} | dict(also)
    command = [sys.executable, "-m", "tallyroom", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    served: list[Settings] = []
    monkeypatch.setattr(server, "serve", lambda settings, **_: served.append(settings))
    for name in [name for name in os.environ if name.startswith("TALLYROOM_")]:
        monkeypatch.delenv(name)
    return served


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Any:
    monkeypatch.setattr(sys, "argv", ["tallyroom", *arguments])
    try:
        main.main()
    except SystemExit as ended:
        return ended.code or 0
    return 0


def test_the_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, running_version(), "")


def test_a_platform_that_is_a_path_of_the_server_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    done = in_this_process("serve", "--data", tmp_path / "data", stats_platforms="chat,v1")
    told = "tallyroom: TALLYROOM_STATS_PLATFORMS cannot name v1: the server itself uses paths below /v1.\n"
    assert (done.returncode, done.stderr) == (1, told)
    assert not (tmp_path / "data").exists()


def test_serve_without_a_word_takes_the_defaults(monkeypatch: pytest.MonkeyPatch, served: list[Settings]) -> None:
    assert call(monkeypatch, "serve") == 0
    assert served == [Settings()]


def test_flags_win_over_variables(monkeypatch: pytest.MonkeyPatch, served: list[Settings]) -> None:
    monkeypatch.setenv("TALLYROOM_PORT", "1000")
    monkeypatch.setenv("TALLYROOM_HOST", "::1")
    monkeypatch.setenv("TALLYROOM_QUERY_SECONDS", "3")
    assert call(monkeypatch, "serve", "--port", "0", "--data", "elsewhere") == 0
    assert served == [Settings(host="::1", port=0, data="elsewhere", query_seconds=3)]


@pytest.mark.parametrize(
    ("flags", "asked"), [([], []), (["--start-over"], ["start_over"]), (["--accept-loss"], ["accept_loss"])]
)
def test_only_a_flag_gives_anything_up(monkeypatch: pytest.MonkeyPatch, flags: list[str], asked: list[str]) -> None:
    told: dict[str, object] = {}
    monkeypatch.setattr(server, "serve", lambda _, **options: told.update(options))
    assert call(monkeypatch, "serve", *flags) == 0
    assert sorted(told) == ["accept_loss", "init_system", "start_over", "warnings"]
    assert [name for name in ("accept_loss", "start_over") if told[name]] == asked


@pytest.mark.parametrize("arguments", [["nosuch"], ["serve", "--nosuch"], ["serve", "--port"], ["serve", "extra"]])
def test_a_wrong_command_line_serves_nothing(
    monkeypatch: pytest.MonkeyPatch, served: list[Settings], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *arguments) != 0
    assert served == []
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "abc"), ("TRUSTED_PROXIES", "x"), ("FAILPOINTS", "store.insert=error"), ("QUERY_SECONDS", "0")],
)
def test_a_wrong_setting_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, served: list[Settings], capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    monkeypatch.setenv(f"TALLYROOM_{name}", value)
    assert call(monkeypatch, "serve") == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tallyroom: TALLYROOM_{name}")
    assert served == []


@pytest.mark.long
def test_a_misspelt_setting_is_a_warning_at_the_start(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", feed_create="true", url="http://elsewhere").start()
    server.stop()
    [line] = [line for line in server.output if "TALLYROOM_" in line]
    told = json.loads(line)
    assert (told["level"], told["logger"]) == ("WARNING", "tallyroom.server")
    assert told["message"] == (
        "TALLYROOM_FEED_CREATE is not a setting and has no effect; did you mean TALLYROOM_FEED_CREATES?"
    )


def test_several_workers_cannot_hold_one_directory(tmp_path: Path) -> None:
    done = in_this_process("serve", "--data", tmp_path / "data", "--workers", "2")
    told = (
        "tallyroom: TALLYROOM_WORKERS cannot be 2: without TALLYROOM_EVENTS_DSN, the events are in the data directory, "
        "which only one process can use (docs/settings.md#several-workers).\n"
    )
    assert (done.returncode, done.stderr) == (1, told)
    assert not (tmp_path / "data").exists()


def test_only_a_parent_tells_the_numbers_of_all(tmp_path: Path) -> None:
    done = in_this_process("serve", "--data", tmp_path / "data", metrics_port="9480")
    told = (
        "tallyroom: TALLYROOM_METRICS_PORT is for several workers (TALLYROOM_WORKERS): a single server has /metrics "
        "at its own address.\n"
    )
    assert (done.returncode, done.stderr) == (1, told)
    assert not (tmp_path / "data").exists()


def test_the_spools_of_several_workers_are_not_taken_for_an_empty_directory(tmp_path: Path) -> None:
    (tmp_path / "workers").mkdir()
    done = in_this_process("serve", "--data", tmp_path)
    told = (
        f"tallyroom: {tmp_path} has the spools of several workers, whose events are on a server: set "
        "TALLYROOM_EVENTS_DSN to its previous value, or choose another directory with --data.\n"
    )
    assert (done.returncode, done.stderr) == (1, told)


def test_a_wrong_setting_makes_no_directory(tmp_path: Path) -> None:
    done = in_this_process("serve", "--data", str(tmp_path / "data"), port="abc")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert list(tmp_path.iterdir()) == []


def one_sentence(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("tallyroom: ")


@pytest.mark.long
def test_a_data_directory_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    one_sentence(run("serve", "--port", "0", "--data", str(tmp_path / "data")))


@pytest.mark.long
def test_an_event_store_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "events").write_text("")
    one_sentence(run("serve", "--port", "0", "--data", str(tmp_path)))


@pytest.mark.long
def test_a_metadata_file_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "metadata.sqlite").write_text("no database " * 100)
    one_sentence(run("serve", "--port", "0", "--data", str(tmp_path)))


@pytest.mark.long
def test_a_protobuf_without_its_decoder_in_c_is_one_sentence(tmp_path: Path) -> None:
    """OpenTelemetry would take fifty times as long."""
    done = run("serve", "--port", "0", "--data", str(tmp_path / "data"), also={_IMPLEMENTATION: "python"})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == (f"tallyroom: protobuf is not using its C decoder; unset {_IMPLEMENTATION}.")


@pytest.mark.long
def test_workers_whose_data_is_on_servers_start_from_the_environment_alone(
    tmp_path: Path, events_server: FrontServer, dsn: str, shared_redis: RedisServer
) -> None:
    secrets = {"db_dsn_file": dsn, "limits_dsn_file": shared_redis.dsn, "secret_key_file": SECRET_KEY}
    for name, secret in secrets.items():
        (tmp_path / name).write_text(f"{secret}\n", encoding="utf-8")
    files = {name: str(tmp_path / name) for name in secrets}
    host = Server(tmp_path / "data", workers="2")
    host.settings |= events_server.settings() | files
    host.start()
    try:
        workspace = sign_up(host.url)
        for number in range(4):  # each on a connection of its own, so that both workers may have some
            assert workspace.send({"name": "signup", "_actor": f"actor-{number}"}).status_code == 202
        assert len(workspace.get("/v1/actors").json()["actors"]) == 4
        assert "keeps the events queued for its event store in " in host.text()
    finally:
        assert host.stop() in {0, -signal.SIGTERM}
    assert not list((tmp_path / "data").rglob(DATABASE_FILE))
