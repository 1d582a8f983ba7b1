"""Copies of the fixture, each with its clock, whose metadata are in a file or in PostgreSQL."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.servers.server import Server
from harness.servers.wall_clock import WallClock
from harness.stores.metadata import on_postgresql
from harness.suite.few import few
from tallyroom.core.data_directory import DATABASE_FILE
from tallyroom.core.vault import open_vault
from upgrade.fixture import Fixture, run
from upgrade.outside import serving

FIXTURE = Fixture("746c709e")


@dataclass
class Copy:
    """One copy.

    Attributes:
        data: the data directory.
        dsn: the PostgreSQL database with the metadata; "" if they are in the directory.
        clock: stands where that of the fixture ended.
        facts: what was noted when the fixture was made.
    """

    data: Path
    dsn: str
    clock: WallClock
    facts: Any

    def lead_webhooks_to(self, url: str) -> None:
        """Change where the webhook leads: nobody may listen at the port that it had."""
        sealed = open_vault([], self.data).encrypt(url)
        statement = f"UPDATE alert_channels SET destination = '{sealed}' WHERE type = 'webhook'"
        if self.dsn:
            asyncio.run(run(self.dsn, statement))
            return
        with closing(sqlite3.connect(self.data / DATABASE_FILE)) as metadata, metadata:
            metadata.execute(statement)


class Opened:
    """A server of this commit on a copy."""

    def __init__(self, server: Server, copy: Copy) -> None:
        self.url = server.url
        self.facts = copy.facts
        self.secrets: dict[str, str] = copy.facts["secrets"]
        self.ids: dict[str, Any] = copy.facts["ids"]

    def ask(self, path: str, who: str = "session", **params: Any) -> Any:
        """What somebody is answered."""
        answer = self.send("GET", path, who=who, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, method: str, path: str, body: Any = None, *, who: str = "session", **options: Any) -> httpx.Response:
        """The answer to a request by the secret of that name; by nobody's if empty."""
        headers = {"authorization": f"Bearer {self.secrets[who]}"} if who else {}
        headers |= options.pop("headers", {})
        return httpx.request(method, self.url + path, json=body, headers=headers, timeout=60, verify=False, **options)


@contextmanager
def copied(on: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Copy]:
    """A new copy with its metadata on one of the databases."""
    data, facts = FIXTURE.unpack(folder), FIXTURE.facts
    clock = WallClock(folder / "clock").set(facts["ends_ms"])
    if on == SQLITE:
        yield Copy(data, "", clock, facts)
        return
    for file in data.glob("metadata.sqlite*"):
        file.unlink()
    with FIXTURE.loaded(request.getfixturevalue("postgres_server")) as dsn:
        yield Copy(data, dsn, clock, facts)


SQLITE, POSTGRESQL = "sqlite", "postgresql"


def mainly_on(first: str, second: str) -> pytest.MarkDecorator:
    """Try a test on the first database, and in `make test-long` on both."""
    return few(1, "on", [first, second], indirect=True, scope="module")


@pytest.fixture(scope="module", params=[SQLITE, pytest.param(POSTGRESQL, marks=pytest.mark.long)])
def on(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where the metadata are, wherever those of other tests are."""
    with on_postgresql(None):
        yield str(request.param)


@pytest.fixture
def copy(on: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Copy]:
    """A copy that a test may change."""
    with copied(on, request, tmp_path) as copy:
        yield copy


@pytest.fixture(scope="module")
def opened(on: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A server on a copy that stays as it is; it does not fill earlier months, so they answer as before."""
    with (
        copied(on, request, tmp_path_factory.mktemp(on)) as copy,
        serving(copy.data, copy.clock, copy.dsn, failpoints="columns.fill.before=block") as server,
    ):
        yield Opened(server, copy)
