"""The limit of open files is raised when a server starts (rules/safety#unread-answers)."""

import logging
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from harness.servers.server import Server
from tallyroom.server.open_files import WANTED_LIMIT, raise_limit

INFINITY = resource.RLIM_INFINITY


class Limits:
    """The limits of a process, in place of this one's."""

    def __init__(self, soft: int, hard: int, *, refuses: bool = False) -> None:
        self.now = (soft, hard)
        self.refuses = refuses

    def get(self, kind: int) -> tuple[int, int]:
        assert kind == resource.RLIMIT_NOFILE
        return self.now

    def set(self, kind: int, limits: tuple[int, int]) -> None:
        assert kind == resource.RLIMIT_NOFILE
        if self.refuses:
            raise ValueError("current limit exceeds maximum limit")
        self.now = limits


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "level"),
    [
        (1024, 4096, 4096, logging.INFO),
        (1024, 1_048_576, WANTED_LIMIT, logging.INFO),
        (256, INFINITY, WANTED_LIMIT, logging.INFO),
        (1024, 1024, 1024, logging.WARNING),
        (1024, 4095, 4095, logging.WARNING),
        (200_000, 1_048_576, 200_000, logging.INFO),
        (INFINITY, INFINITY, INFINITY, logging.INFO),
    ],
)
def test_the_limit_is_raised_as_far_as_it_helps(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, soft: int, hard: int, raised: int, level: int
) -> None:
    limits = Limits(soft, hard)
    monkeypatch.setattr(resource, "getrlimit", limits.get)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    with caplog.at_level(logging.INFO):
        raise_limit()
    assert limits.now == (raised, hard)
    assert [(record.levelno, vars(record)["limit"]) for record in caplog.records] == [(level, raised)]


def test_a_system_that_refuses_is_no_reason_not_to_start(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    limits = Limits(256, INFINITY, refuses=True)
    monkeypatch.setattr(resource, "getrlimit", limits.get)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    raise_limit()
    assert limits.now == (256, INFINITY)
    assert [record.message for record in caplog.records] == ["the open file limit cannot be raised"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_server_raises_it_when_it_starts(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", limits="-Sn 300", log_level="info").start()
    limits = Path(f"/proc/{server.process.pid}/limits").read_text("utf-8")
    server.stop()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    expected = WANTED_LIMIT if hard == INFINITY else min(hard, WANTED_LIMIT)
    assert f"Max open files {expected} " in " ".join(limits.split())
    assert [line for line in server.output if '"open files"' in line and f'"limit": {expected},' in line]


@pytest.mark.long
def test_a_worker_among_several_raises_its_own() -> None:
    """Each is a process of its own, which prepares as a server alone does."""
    program = (
        "import resource; _, hard = resource.getrlimit(resource.RLIMIT_NOFILE);"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard));"
        "from tallyroom.core.settings import Settings; from tallyroom.server.serve import prepare;"
        "prepare(Settings(), worker='2')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [line for line in (done.stdout + done.stderr).splitlines() if '"open files"' in line and '"2"' in line]
