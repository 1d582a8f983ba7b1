"""One server says who it is once; one of several says it with each number."""

import re
from pathlib import Path
from socket import gethostname

import httpx
import pytest

from harness.clients.server_counts import measured
from harness.servers.server import Server
from harness.stores.metadata import Places
from tallyroom.core.version import VERSION


def labels(url: str) -> dict[str, set[str]]:
    """The labels of each number, by its name; those of answers are left out, because some have their own."""
    text = httpx.get(f"{url}/metrics").text
    found = re.findall(r"^(tallyroom_(?!http)\w+)(?:\{(.*)\})? \S+$", text, re.MULTILINE)
    return {name: set(said.split(",")) - {""} for name, said in found}


def test_one_server_says_who_it_is_once(server: Server) -> None:
    found = labels(server.url)
    told = found.pop("tallyroom_worker_info")
    assert f'host="{gethostname()}"' in told
    assert any(said.startswith(f'version="{VERSION}') for said in told)
    assert len(told) == 3
    assert [name for name, said in found.items() if said] == []
    assert measured(server.url, "workers") == 1


@pytest.mark.long
def test_one_of_several_says_it_with_each_number(postgresql_places: Places, tmp_path: Path) -> None:
    dsn = postgresql_places.dsn(tmp_path / "metadata.sqlite")
    server = Server(tmp_path / "data", servers={"db_dsn": dsn}).start()
    try:
        found = labels(server.url)
        (spool,) = [said for said in found.pop("tallyroom_worker_info") if said.startswith("spool=")]
        assert [name for name, said in found.items() if said != {spool}] == []
        assert measured(server.url, "workers") == 1
        server.stop()
        again = labels(server.start().url)
        assert spool in again["tallyroom_workers"]
    finally:
        server.stop()
