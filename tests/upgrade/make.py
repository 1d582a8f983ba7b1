"""Makes a fixture of the commit whose code runs it, beside this file: a data directory and a dump of its metadata.

``PYTHONPATH=tests .venv/bin/python -m upgrade.make COMMIT`` in a clean checkout of the commit makes ``COMMIT/``. For a
commit without this file, `PYTHONPATH` names the tests of one that has it. Ids and secrets are new each time.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness.servers.postgres import new_postgres
from harness.servers.wall_clock import WallClock
from upgrade.asking import ask, questions
from upgrade.dump import dump_of
from upgrade.fixture import Fixture
from upgrade.outside import Outside, outside, serving
from upgrade.putting import Putting

BEGINS_MS = 1_795_161_600_000
"""2026-11-20T08:00:00Z."""

BLOCKED = "store.insert=block,feed.insert=block"


def make(commit: str) -> None:
    """Write the fixture of a commit."""
    fixture = Fixture(commit)
    with tempfile.TemporaryDirectory() as folder, outside() as others:
        home = Path(folder)
        clock = WallClock(home / "clock").set(BEGINS_MS)
        facts = _fill(home / "data", clock, others)
        shutil.copytree(home / "data", home / "copy", symlinks=True, ignore=shutil.ignore_patterns("*.sock"))
        facts["answers"] = _answers(home / "copy", clock, others, facts)
        with new_postgres() as server:
            dump = dump_of(home / "data", server)
        fixture.write(home / "data", dump, facts | {"commit": commit, "ends_ms": clock.now_ms()})


def _fill(data: Path, clock: WallClock, others: Outside) -> dict[str, Any]:
    with serving(data, clock, **others.settings) as server:
        putting = Putting(server, clock, others)
        putting.people()
        putting.events()
        putting.boards()
        putting.bots()
        putting.alerts()
        putting.digest()
        others.refuse()
        putting.what_waits_for_others()
        assert server.stop() == 0
    with serving(data, clock, failpoints=BLOCKED, fresh_wait_ms="0", **others.settings) as server:
        putting.server = server
        putting.what_waits_for_the_store()
        server.kill()
    return {"secrets": putting.secrets, "ids": putting.ids}


def _answers(copy: Path, clock: WallClock, others: Outside, facts: dict[str, Any]) -> dict[str, Any]:
    """What this very commit answers when it starts again."""
    with serving(copy, clock, **others.settings) as server:
        asked = questions(facts["ids"])
        return {name: ask(server.url, facts["secrets"], question) for name, question in asked.items()}


if __name__ == "__main__":
    make(sys.argv[1])
