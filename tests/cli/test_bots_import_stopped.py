"""`tallyroom bots import` when it or the server is killed: a second run leaves exactly what the file holds."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.clients.bot_files import Feeder, answers, check, feeder, ndjson, points, votes, wait_until
from harness.clients.import_command import numbers
from harness.clients.workspace import sign_up
from harness.servers.server import Server

FAILPOINTS = ("feed.commit.after", "feed.insert", "feed.insert.after")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Not started yet."""
    server = Server(tmp_path / "data", open_signup="true")
    yield server
    server.kill()


def shuffled(seed: int) -> list[dict[str, Any]]:
    """More rows than two requests hold, votes and points mixed; the votes of one user keep no order either."""
    rows = points(300) + votes(users=40, each=70)
    Random(seed).shuffle(rows)
    return rows


@pytest.mark.long
def test_everything_is_killed_once(own_server: Server, tmp_path: Path) -> None:
    rows = points(120) + votes(users=60, each=45)
    path = ndjson(tmp_path / "bots.ndjson", rows)
    own_server.settings["failpoints"] = "feed.commit.after=block@2"
    fed = started(own_server)
    importing = launched(fed, path)
    wait_until(lambda: not answers(own_server.url))  # the second batch is durable, and nobody is told
    importing.kill()
    importing.communicate()
    own_server.kill()
    own_server.settings["failpoints"] = "feed.insert.after=kill@2"
    own_server.start()
    importing = launched(fed, path)
    assert own_server.wait() == -9
    own_server.settings["failpoints"] = ""
    own_server.start()
    output, said = importing.communicate(timeout=60)
    assert importing.returncode == 0, said
    assert said.decode().count("Trying again.") <= 1
    rows_told, _, repeated, refused = numbers(subprocess.CompletedProcess("", 0, output))
    assert (rows_told, refused) == (len(rows), 0)
    assert repeated, "the killed run left nothing"
    check(fed, rows)


@pytest.mark.long
@pytest.mark.parametrize("hit", [1, 2, 3])
@pytest.mark.parametrize("failpoint", FAILPOINTS)
def test_a_server_killed_at_a_failpoint(own_server: Server, tmp_path: Path, failpoint: str, hit: int) -> None:
    """One import goes through it; another finds everything there."""
    rows = shuffled(hit)
    path = ndjson(tmp_path / "bots.ndjson", rows)
    own_server.settings["failpoints"] = f"{failpoint}=kill@{hit}"
    fed = started(own_server)
    importing = launched(fed, path)
    assert own_server.wait() == -9
    own_server.settings["failpoints"] = ""
    own_server.start()
    _, said = importing.communicate(timeout=120)
    assert importing.returncode == 0, said
    check(fed, rows)
    fed.run("import", path)
    check(fed, rows)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_both_killed_at_any_moment(own_server: Server, tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    rows = shuffled(seed)
    path = ndjson(tmp_path / "bots.ndjson", rows)
    fed = started(own_server)
    for _ in range(6):
        importing = launched(fed, path)
        try:
            importing.wait(chance.uniform(0.3, 1.5))
        except subprocess.TimeoutExpired:
            importing.kill()
        importing.communicate()
        if chance.random() < 0.5:
            own_server.kill()
            own_server.start()
    fed.run("import", path)
    check(fed, rows)


def started(server: Server) -> Feeder:
    return feeder(sign_up(server.start().url))


def launched(fed: Feeder, path: Path) -> "subprocess.Popen[bytes]":
    words, environment = fed.words("import", path)
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
