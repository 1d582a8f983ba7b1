"""docs/howto/tokens.md: tokens from their making to their revocation, with what the page says to paste."""

import json
from pathlib import Path

from harness.clients.workspace import Workspace
from harness.servers.server import Server
from harness.suite.pasted_blocks import blocks, in_one_terminal, like_a_clone, new_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "tokens.md"


def test_the_page_from_top_to_bottom(server: Server, workspace: Workspace, tmp_path: Path) -> None:
    for number in range(3):
        order = {"name": "order.placed", "_actor": "ann", "_actorLabel": "Ann", "properties": {"total": number}}
        assert workspace.send(order).status_code == 202
    clone = tmp_path / "clone"
    clone.mkdir()
    like_a_clone(clone, server.data)
    terminal = new_terminal(clone, TALLYROOM_URL=workspace.url, TALLYROOM_TOKEN=workspace.session_token)
    make, ask = blocks(PAGE, "Create a token"), blocks(PAGE, "Ask a question")
    rest = [*blocks(PAGE, "Export every night"), *blocks(PAGE, "See and revoke tokens")]

    answer, actors, after = in_one_terminal([*make, *ask, *rest], terminal, clone)

    assert json.loads(answer)["value"] == 3
    assert actors == "3 Ann\n"
    refused, lines, listed, revoked = after.split("\n")[:4]
    assert (refused, lines.strip(), revoked) == ("403", "4", "401")
    tokens = {token["name"]: token for token in json.loads(listed)["tokens"]}
    assert tokens["weekly report"]["scopes"] == ["read"]
    assert tokens["nightly export"]["environment"] is None
    names = {token["name"]: token["revokedAt"] for token in workspace.get("/v1/tokens").json()["tokens"]}
    assert names["weekly report"] is not None
    assert names["nightly export"] is None
