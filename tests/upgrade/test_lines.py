"""What the log says of an upgrade: one line for each database that was migrated, and nothing of the library."""

import json
from typing import Any

import pytest

from tallyroom.storage.metadata.migrate import newest_revision
from upgrade.conftest import Copy
from upgrade.outside import serving


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


@pytest.mark.long
def test_one_line_for_each_database(copy: Copy) -> None:
    with serving(copy.data, copy.clock, copy.dsn, log_level="info") as server:
        server.stop()
        output = "".join(server.output)
    told = [line for line in lines(output) if line["message"] == "a database was migrated"]
    [metadata] = [line for line in told if line["database"] == "metadata"]
    assert (metadata["level"], metadata["to"]) == ("INFO", newest_revision())
    assert metadata["from"] < metadata["to"]
    assert metadata["seconds"] >= 0
    assert len({line["database"] for line in told}) == len(told)
    assert "alembic" not in output
    with serving(copy.data, copy.clock, copy.dsn, log_level="info") as server:
        server.stop()
    assert "a database was migrated" not in "".join(server.output)


@pytest.mark.parametrize(("level", "is_told"), [("error", False), ("debug", True)])
def test_the_library_speaks_at_debug_alone(copy: Copy, level: str, is_told: bool) -> None:
    with serving(copy.data, copy.clock, copy.dsn, log_level=level) as server:
        server.stop()
        output = "".join(server.output)
    assert ("alembic" in output) == is_told
