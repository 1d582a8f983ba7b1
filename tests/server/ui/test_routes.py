"""The page at `/` without the web app: from nobody to the first event, by the commands that it shows."""

import os
import re
from html import unescape
from pathlib import Path

import httpx
import pytest

from harness.servers.checkout import checkout
from harness.servers.server import Server
from harness.suite.pasted_blocks import Block, in_one_terminal


def test_the_commands_of_each_stage_lead_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(checkout(tmp_path / "src", None)))
    server = Server(tmp_path / "data", open_signup="true").start()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}

    def page() -> str:
        return httpx.get(server.url).text

    def pasted(count: int) -> str:
        commands = re.findall(r"<code>(.*?)</code>", page(), re.DOTALL)[:count]
        script = [Block("sh", unescape(command) + "\n") for command in commands]
        return in_one_terminal(script, environment, tmp_path)[0]

    try:
        assert "No one has signed up yet." in page()
        assert pasted(2) == ""
        assert "No events have arrived yet." in page()
        assert '"actorKey":"customer-17"' in pasted(4)
        assert "Events have arrived." in page()
        assert pasted(4).endswith('"next":null}{"accepted":1}')
        check_that_a_browser_that_is_signed_in_is_told_so(server)
    finally:
        server.stop()


def check_that_a_browser_that_is_signed_in_is_told_so(server: Server) -> None:
    with httpx.Client(base_url=server.url) as browser:
        assert "signed in as" not in browser.get("/").text
        body = {"email": "page@example.com", "password": "a long pass phrase", "name": "You", "workspaceName": "Acme"}
        assert browser.post("/v1/auth/signup", json=body).status_code == 201
        shown = browser.get("/")
        assert "You are signed in as You, in Acme." in shown.text
        assert shown.headers["cache-control"] == "no-store"
        for path in re.findall(r'href="(/v1/[^"]*)"', shown.text):
            assert browser.get(unescape(path)).status_code == 200
