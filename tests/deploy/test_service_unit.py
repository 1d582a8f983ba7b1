"""deploy/tallyroom.service: systemd reads it without a word, and the server tells systemd what the unit says it does."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from socket import AF_UNIX, SOCK_DGRAM, socket
from uuid import uuid4

import pytest

from harness.servers.server import Server
from harness.suite.patience import PATIENCE
from tallyroom.cli.serve import find_unknown_variables
from tallyroom.core.load_settings import load_settings
from tallyroom.core.settings import Settings

UNIT = Path(__file__).parents[2] / "deploy" / "tallyroom.service"
TEXT = UNIT.read_text(encoding="utf-8")
MOST_EXPOSED = 20  # tenths, as systemd counts: up to 20 is its best class
REQUESTS_SECONDS = 10


def directives(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", TEXT, re.MULTILINE)


@pytest.fixture
def analyze(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """systemd's opinion of a text."""
    program = shutil.which("systemd-analyze")
    if program is None:
        if os.environ.get("REQUIRE_SYSTEMD") == "1":
            pytest.fail("systemd-analyze is not installed")
        pytest.skip("systemd-analyze is not installed")

    def ask(text: str, *words: str) -> subprocess.CompletedProcess[str]:
        unit = tmp_path / "tallyroom.service"
        unit.write_text(text.replace("/opt/tallyroom/bin/tallyroom", sys.executable), encoding="utf-8")
        return subprocess.run([program, *words, unit], capture_output=True, text=True, check=False)

    return ask


Analyze = Callable[..., subprocess.CompletedProcess[str]]


def test_systemd_reads_it_without_a_word(analyze: Analyze) -> None:
    found = analyze(TEXT, "verify")
    assert (found.stdout, found.stderr, found.returncode) == ("", "", 0)
    assert "ProtectSystems" in analyze(TEXT.replace("ProtectSystem=", "ProtectSystems="), "verify").stderr


def test_it_leaves_little_open(analyze: Analyze) -> None:
    words = ("security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED}")
    found = analyze(TEXT, *words)
    assert found.returncode == 0, found.stdout
    assert analyze(TEXT.replace("SystemCallFilter=", "#SystemCallFilter="), *words).returncode != 0


def test_its_settings_are_settings() -> None:
    environ = dict(line.split("=", 1) for line in directives("Environment"))
    assert find_unknown_variables(environ) == []
    assert f"/var/lib/{directives('StateDirectory')[0]}" == environ.pop("TALLYROOM_DATA")
    (credential,) = directives("LoadCredential")
    assert environ == {"TALLYROOM_SECRET_KEY_FILE": f"%d/{credential.split(':')[0]}"}


def test_a_stop_has_the_time_that_the_server_takes() -> None:
    (seconds,) = directives("TimeoutStopSec")
    assert int(seconds.removesuffix("s")) > load_settings({}).stop_seconds + REQUESTS_SECONDS
    assert directives("KillMode") == ["mixed"]  # the server alone is asked to stop, and ends its processes itself


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket]:
    """A socket in systemd's place."""
    name = f"tallyroom-{uuid4()}"
    with closing(socket(AF_UNIX, SOCK_DGRAM)) as heard:
        heard.bind(f"\0{name}")
        heard.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        yield heard


def test_the_server_tells_when_it_is_ready_and_when_it_stops(manager: socket, tmp_path: Path) -> None:
    assert directives("Type") == ["notify"]
    server = Server(tmp_path / "data", stop_seconds=str(Settings().stop_seconds)).start()
    assert manager.recv(100) == b"READY=1"
    assert server.ready_within(PATIENCE)
    assert server.stop() == 0
    assert manager.recv(100) == b"STOPPING=1"
