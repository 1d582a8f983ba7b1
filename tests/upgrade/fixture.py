"""The files of a fixture: an archive of the data directory, a dump of its metadata for `psql`, and the facts."""

import asyncio
import json
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from harness.servers.postgres import fresh_database
from harness.stores.metadata import dsn_of

HOME = Path(__file__).parent
"""Has a folder for each commit that made a fixture."""


class Fixture:
    """What a commit has made.

    Args:
        commit: its name, which the folder has.
    """

    def __init__(self, commit: str) -> None:
        self._folder = HOME / commit
        self._data = self._folder / "data.tar.xz"
        self._dump = self._folder / "metadata.sql"
        self._facts = self._folder / "facts.json"

    def write(self, data: Path, dump: str, facts: dict[str, Any]) -> None:
        """Write all files."""
        self._folder.mkdir(exist_ok=True)
        with tarfile.open(self._data, "w:xz", preset=9) as archive:
            archive.add(data, "data", filter=_plain)
        self._dump.write_text(dump, encoding="utf-8")
        self._facts.write_text(_in_lines(facts), encoding="utf-8")

    @property
    def facts(self) -> Any:
        """What was noted when it was made."""
        return json.loads(self._facts.read_text(encoding="utf-8"))

    def unpack(self, folder: Path) -> Path:
        """A copy of the data directory in a folder."""
        with tarfile.open(self._data) as archive:
            archive.extractall(folder, filter="data")
        return folder / "data"

    @contextmanager
    def loaded(self, server: URL) -> Iterator[str]:
        """A new database of PostgreSQL with the dump, for as long as the block lasts."""
        with fresh_database(server, lambda _: None) as database:
            dsn = dsn_of(database)
            asyncio.run(run(dsn, self._dump.read_text(encoding="utf-8")))
            yield dsn


def _in_lines(facts: dict[str, Any]) -> str:
    """JSON with a line for each answer, of which a person can compare two."""
    answers = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in facts.pop("answers").items()]
    return json.dumps(facts, indent=1)[:-2] + ',\n "answers": {\n' + ",\n".join(answers) + "\n}}\n"


async def run(dsn: str, statements: str) -> None:
    """Run statements in a PostgreSQL database."""
    import asyncpg  # noqa: PLC0415 # not every Python has the driver

    connection = await asyncpg.connect(dsn)
    await connection.execute(statements)
    await connection.close()


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Nobody's in particular; sockets stay behind."""
    if not (entry.isfile() or entry.isdir() or entry.issym() or entry.islnk()):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry
