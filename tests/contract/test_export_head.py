"""HEAD /v1/export: the headers of the export, without the export."""

from typing import Any

import pytest

from harness.clients.workspace import Workspace


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_the_headers_are_those_of_the_export_and_nothing_is_read(workspace: Workspace, coding: str) -> None:
    workspace.send({"name": "n"})
    asked: dict[str, Any] = {"params": {"format": "csv", "to": "2026-01-01"}, "headers": {"accept-encoding": coding}}
    with workspace.client() as client:
        head = client.head("/v1/export", **asked)
        assert (head.status_code, head.content) == (200, b"")
        before = [entry["action"] for entry in workspace.get("/v1/audit").json()["entries"]]
        full = client.get("/v1/export", **asked)
        after = [entry["action"] for entry in workspace.get("/v1/audit").json()["entries"]]
    same = {"content-type", "content-disposition", "content-encoding", "cache-control", "vary"}
    assert {name: head.headers.get(name) for name in same} == {name: full.headers.get(name) for name in same}
    assert "events.export" not in before
    assert "events.export" in after


def test_what_the_export_would_be_refused_for_is_refused(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert client.head("/v1/export", params={"from": "x"}).status_code == 400
    with workspace.client(workspace.key) as client:
        assert client.head("/v1/export").status_code in {401, 403}
