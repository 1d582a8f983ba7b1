"""A stop goes on without a query that nobody can stop."""

from pathlib import Path

import httpx
import pytest

from harness.clients.workspace import sign_up
from harness.servers.server import Server

QUESTION = {
    "environment": "production",
    "timeRange": "1h",
    "type": "metric",
    "config": {"event": "a", "measure": "count"},
}
CUSTOM = """
import ctypes
from tallyroom.server import serve as server
from tallyroom.storage.event_store import reader
from tallyroom.storage.event_store.backend.embedded import sealed_reader

sealed_reader.EmbeddedReader.query = lambda *_: ctypes.CDLL(None).sleep(3600)  # Python cannot interrupt it
server._GRACE_SECONDS, reader._CLOSE_SECONDS = 1, 0.1
"""


def test_a_server_stops_with_status_0_and_keeps_what_it_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(CUSTOM)
    with monkeypatch.context() as patched:
        patched.setenv("PYTHONPATH", str(tmp_path))
        server = Server(tmp_path / "data", open_signup="true").start()
    workspace = sign_up(server.url)
    with workspace.client() as client, pytest.raises(httpx.ReadTimeout):
        client.post("/v1/query", json=QUESTION, timeout=0.5)
    key, _ = workspace.make_key()
    assert workspace.send({"name": "a"}, key=key).status_code == 202
    assert server.stop() == 0
    assert "the server exits while a query is still running" in server.text()

    again = Server(tmp_path / "data").start()
    with workspace.client() as client:
        answer = client.post(f"{again.url}/v1/query", json=QUESTION)
    assert answer.json()["value"] == 1
    assert again.stop() == 0
