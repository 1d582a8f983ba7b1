"""The epoch moves in all three parts, and a start that is cut short leaves what starts again."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from harness.servers.child import Interpreter
from operations.installation.conftest import copied, remove

METADATA, SPOOL, STORE = "metadata.sqlite", "spool.sqlite", "events"

PRELUDE = """
import asyncio
from pathlib import Path
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.server.opening import open_services

def start(data, failpoints="", **options):
    settings = Settings(data=data, disk_reserve_bytes=0, stop_seconds=5, testing=True, failpoints=failpoints)

    async def once():
        services = open_services(settings, **options)
        numbers = services.spool.acked_count, int(services.writer.command("SELECT count() FROM events"))
        await services.close()
        return numbers

    try:
        print(*asyncio.run(once()))
    except TallyroomError as error:
        print(type(error).__name__, error.message)
"""

Run = Callable[[Path, str], str]


@pytest.fixture
def run(child: Interpreter) -> Run:
    """A start and a stop: how many events the spool has acknowledged and the store holds, or why it was refused."""

    def run(data: Path, options: str = "") -> str:
        return child.run(f"start(data, {options})", data=str(data))[-1]  # below what an upgrade logs

    return run


def stamps(data: Path) -> list[tuple[str, int]]:
    """What each part says of itself."""
    found = []
    for name, query in (
        (METADATA, "SELECT id, epoch FROM installation WHERE begun IS NULL"),
        (SPOOL, "SELECT installation, epoch FROM stamp"),
    ):
        with closing(sqlite3.connect(data / name)) as connection:
            found += connection.execute(query).fetchall()
    stamp = json.loads((data / STORE / "installation.json").read_bytes())
    return [*found, (stamp["installation"], stamp["epoch"])]


def losses(data: Path) -> list[str]:
    with closing(sqlite3.connect(data / METADATA)) as connection:
        return [what for (what,) in connection.execute("SELECT what FROM losses ORDER BY id")]


def put_aside(data: Path) -> list[str]:
    return sorted(path.name for folder in data.glob("set-aside-*") for path in folder.iterdir())


@pytest.mark.long
def test_each_start_moves_all_three(run: Run, data: Path) -> None:
    [(installation, epoch)] = set(stamps(data))
    assert (len(installation), epoch) == (32, 2)
    assert run(data, "") == "5 5"
    assert set(stamps(data)) == {(installation, 3)}


def test_two_servers_are_two_installations(ran: Path) -> None:
    assert {epoch for _, epoch in stamps(ran / "other")} == {1}
    assert not set(stamps(ran / "other")) & set(stamps(ran / "early"))


def cut_short(run: Run, data: Path) -> None:
    """Three starts, each from where the one before was cut short."""
    for place in ("begin", "spool", "store"):
        assert run(data, f"'start.{place}.after=error'").startswith("InjectedFault")


@pytest.mark.long
def test_a_start_that_is_cut_short_is_no_obstacle(run: Run, data: Path) -> None:
    cut_short(run, data)
    assert run(data, "") == "5 5"
    assert {epoch for _, epoch in stamps(data)} == {3}


@pytest.mark.long
def test_nor_is_the_very_first(run: Run, tmp_path: Path) -> None:
    cut_short(run, tmp_path)
    assert run(tmp_path, "") == "0 0"
    assert {epoch for _, epoch in stamps(tmp_path)} == {1}


@pytest.mark.long
def test_what_an_older_version_left_becomes_an_installation(run: Run, old_data: Path) -> None:
    assert run(old_data, "'start.spool.after=error'").startswith("InjectedFault")
    assert run(old_data, "") == "5 5"
    [(_, epoch)] = set(stamps(old_data))
    assert epoch == 1


@pytest.mark.long
def test_the_right_file_put_back_is_all_it_takes(run: Run, data: Path, tmp_path: Path) -> None:
    copied(data / METADATA, tmp_path / "kept")
    (data / METADATA).write_bytes(b"")
    assert run(data, "").startswith("IncompleteInstallation")
    copied(tmp_path / "kept", data / METADATA)
    assert run(data, "") == "5 5"


@pytest.mark.parametrize("by", ["", *(pytest.param(by, marks=pytest.mark.long) for by in ("early", "other"))])
def test_going_on_without_the_spool(run: Run, ran: Path, data: Path, by: str) -> None:
    """Also an older one: its sequence numbers have been given to other events since."""
    remove(data / SPOOL)
    if by:
        copied(ran / by / SPOOL, data / SPOOL)
    assert run(data, "accept_loss=True") == "0 5"
    assert put_aside(data) == ([SPOOL] if by else [])
    [what] = losses(data)
    assert what.startswith("the spool (spool.sqlite) ")
    assert run(data, "") == "0 5"
    assert len(set(stamps(data))) == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("by", "left", "lost"),
    [
        ("", 0, "5 events are lost"),
        ("early", 3, "2 events are lost"),
        ("other", 0, "5 events are lost"),
    ],
)
def test_going_on_without_the_event_store(run: Run, ran: Path, data: Path, by: str, left: int, lost: str) -> None:
    """An older one keeps what it holds."""
    remove(data / STORE)
    if by:
        copied(ran / by / STORE, data / STORE)
    assert run(data, "accept_loss=True") == f"5 {left}"
    assert put_aside(data) == ([STORE] if by == "other" else [])
    [what] = losses(data)
    assert what.endswith(lost)
    with closing(sqlite3.connect(data / SPOOL)) as spool:
        assert spool.execute("SELECT value FROM number WHERE name = 'lost'").fetchone() == (5 - left,)
    assert run(data, "") == f"5 {left}"
    assert losses(data) == [what]


def test_nobody_goes_on_without_the_metadata(run: Run, data: Path) -> None:
    remove(data / METADATA)
    assert run(data, "accept_loss=True").startswith("IncompleteInstallation")
    assert not (data / METADATA).exists()


@pytest.mark.long
def test_accepting_a_loss_where_there_is_none_changes_nothing(run: Run, data: Path) -> None:
    assert run(data, "accept_loss=True") == "5 5"
    assert (losses(data), put_aside(data)) == ([], [])
