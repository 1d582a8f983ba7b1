"""What `tallyroom export` writes, `tallyroom import` brings into another workspace, the same in each form."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.actor import actor, counts
from harness.clients.import_command import numbers, run, run_here
from harness.clients.workspace import Workspace, sign_up
from harness.servers.command import call
from harness.servers.server import Server

EVENTS: list[dict[str, Any]] = [
    {
        "name": "order, placed",
        "_actor": "0017",
        "_actorLabel": 'Ann "A" Lee',
        "_source": "shop\nweb",
        "_timestamp": ago(hours=2),
        "properties": {
            "total": 12.5,
            "id": 12345678901234567890,
            "text": 'a,"b"\r\n',
            "list": ["x", 1],
            "deep": {"k": []},
        },
    },
    {"name": "seen", "_actor": "123", "_timestamp": ago(hours=1), "properties": {"": "empty", "é": "ü"}},
    {"name": "anonymous", "_timestamp": ago(hours=1)},
]


@pytest.fixture(scope="module")
def full(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    assert workspace.send({"events": EVENTS}).status_code == 202
    return workspace


def imported(workspace: Workspace, path: Path) -> tuple[int, ...]:
    return numbers((run if path.suffix == ".parquet" else run_here)(workspace, path))


def exported(workspace: Workspace, path: Path) -> None:
    done = call("export", "-o", path, url=workspace.url, token=workspace.session_token)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "e.ndjson.gz",
        "e.csv",
        "e.parquet",
        "e.ndjson",
        "e.csv.gz",
    ],
)
def test_an_export_is_imported_as_it_is(full: Workspace, workspace: Workspace, tmp_path: Path, name: str) -> None:
    exported(full, tmp_path / name)
    assert imported(workspace, tmp_path / name) == (3, 3, 0, 0)
    assert counts(workspace) == {"0017": 1, "123": 1}
    for key in ("0017", "123"):
        there, here = actor(full, key), actor(workspace, key)
        assert here["label"] == there["label"]
        assert without_ids(here) == without_ids(there)


def without_ids(found: Any) -> list[str]:
    return [json.dumps({**event, "id": ""}) for event in found["timeline"]]


@pytest.mark.parametrize(
    "name", ["e.ndjson", *(pytest.param(name, marks=pytest.mark.long) for name in ("e.csv", "e.parquet"))]
)
def test_it_is_the_same_file_again(full: Workspace, workspace: Workspace, tmp_path: Path, name: str) -> None:
    exported(full, tmp_path / f"first-{name}")
    imported(workspace, tmp_path / f"first-{name}")
    exported(workspace, tmp_path / f"second-{name}")
    if not name.endswith(".parquet"):  # whose bytes depend on how the engine wrote it
        assert (tmp_path / f"second-{name}").read_bytes() == (tmp_path / f"first-{name}").read_bytes()
    assert imported(workspace, tmp_path / f"first-{name}") == (3, 0, 3, 0)
