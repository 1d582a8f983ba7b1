"""The document of the server that the tests share."""

from typing import Any

import httpx
import pytest

from harness.servers.server import Server


@pytest.fixture(scope="session")
def document(server: Server) -> Any:
    answer = httpx.get(f"{server.url}/openapi.json", timeout=30)
    assert answer.headers["content-type"] == "application/json"
    return answer.json()
