"""docs/howto/external-widgets.md: what the page says to paste works, with a host that nobody has for GitHub's."""

import json
import os
from pathlib import Path

from harness.clients.workspace import Workspace
from harness.suite.pasted_blocks import Block, all_blocks, in_one_terminal
from tallyroom.queries import external

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "external-widgets.md"


def test_the_page_from_top_to_bottom(workspace: Workspace, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {"TALLYROOM_URL": workspace.url, "TALLYROOM_TOKEN": workspace.session_token}
    pasted = [Block(each.language, each.code.replace("api.github.com", "github.invalid")) for each in all_blocks(PAGE)]

    (output,) = in_one_terminal(pasted, environment, tmp_path)

    sources, preview, widget = (json.loads(line) for line in output.splitlines() if line)
    assert [source["host"] for source in sources["externalSources"]] == ["github.invalid"]
    assert (preview["kind"], preview["value"]) == ("external", None)
    assert (widget["title"], widget["type"]) == ("Stars", "external")
    listed = workspace.get("/v1/external-sources").json()["externalSources"]
    assert [(each["host"], each["headerName"], each["tokenPreview"]) for each in listed] == [
        ("github.invalid", None, None),
        ("desk.example.com", "X-Api-Key", "••••desk"),
    ]


def test_the_reasons_of_the_table_are_those_of_the_product() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sources = Path(external.__file__).read_text(encoding="utf-8")
    for words in (
        "redirects are not followed",
        "The response has no value at valuePath.",
        "The response is not JSON: ",
    ):
        assert words in page
        assert words in sources
