"""docs/howto/people.md: an invited colleague reads, and comes back, with what the page says to paste."""

import json
import re
from pathlib import Path

from harness.clients.member import fresh_email
from harness.clients.workspace import Workspace
from harness.suite.pasted_blocks import Block, blocks, in_one_terminal, new_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "people.md"
WHO_AM_I = Block("sh", 'curl -s "$TALLYROOM_URL/v1/auth/me" -H "Authorization: Bearer $TALLYROOM_TOKEN"\n')


def test_a_colleague_is_invited_reads_and_signs_in_again(workspace: Workspace, tmp_path: Path) -> None:
    workspace.send({"name": "order.placed", "_actor": "customer-17"})
    email = fresh_email()
    terminal = new_terminal(tmp_path, TALLYROOM_URL=workspace.url, TALLYROOM_TOKEN=workspace.session_token)

    (joined,) = in_one_terminal(_pasted("Invite a colleague", email), terminal, tmp_path)
    again = [
        Block("sh", block.code.replace("you@example.com", email).replace("a long pass phrase", "another pass phrase"))
        for block in blocks(PAGE, "Sign in again")
    ]
    (signed_in,) = in_one_terminal([*again, WHO_AM_I], terminal, tmp_path)
    token, read = joined.splitlines()

    assert re.fullmatch(r"tri_\w{43}", token)
    assert [actor["actorKey"] for actor in json.loads(read)["actors"]] == ["customer-17"]
    assert json.loads(signed_in)["user"]["email"] == email
    assert json.loads(signed_in)["role"] == "viewer"


def _pasted(heading: str, email: str) -> list[Block]:
    return [Block(block.language, block.code.replace("ann@example.com", email)) for block in blocks(PAGE, heading)]
