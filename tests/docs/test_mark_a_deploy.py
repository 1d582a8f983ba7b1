"""docs/howto/mark-a-deploy.md: one mark however often the job runs, with what the page says to paste."""

import json
import re
import textwrap
from pathlib import Path

import pytest

from harness.clients.workspace import Workspace
from harness.suite.pasted_blocks import Block, blocks, in_one_terminal, new_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "mark-a-deploy.md"
SHA = "9d2a1f0c4b7e3d5a6f8091b2c3d4e5f60718293a"


def test_the_page_from_top_to_bottom(workspace: Workspace, tmp_path: Path) -> None:
    terminal = new_terminal(tmp_path, TALLYROOM_URL=workspace.url, TALLYROOM_TOKEN=workspace.session_token)
    pasted = [
        block
        for heading in ("Create a token for the job", "Mark a deploy", "See the annotations")
        for block in blocks(PAGE, heading)
    ]
    [output] = in_one_terminal(pasted, terminal, tmp_path)
    first, second, third, listed = map(json.loads, output.splitlines())
    assert (first["key"], first["time"]) == ("deploy-3f1c2a9", "2026-11-20T12:00:00.000Z")
    assert second == first | {"time": "2026-11-20T12:05:00.000Z"}
    assert third == second | {"timeEnd": "2026-11-20T12:11:00.000Z"}
    assert listed == {"annotations": [third]}


JOBS = {
    "In GitHub Actions": ("run: |", {"GITHUB_SHA": SHA}),
    "In GitLab CI": ("- |", {"CI_COMMIT_SHA": SHA, "CI_COMMIT_SHORT_SHA": SHA[:7]}),
}


@pytest.mark.parametrize("heading", JOBS)
def test_a_job_that_runs_twice_leaves_one_mark(workspace: Workspace, tmp_path: Path, heading: str) -> None:
    before, variables = JOBS[heading]
    [job] = blocks(PAGE, heading)
    script = textwrap.dedent(job.code.split(f"{before}\n", 1)[1])
    token, _ = workspace.make_token("annotate", environment="production")
    terminal = new_terminal(tmp_path, TALLYROOM_URL=workspace.url, DEPLOY_TOKEN=token, **variables)
    for _ in range(2):
        in_one_terminal([Block("sh", script)], terminal, tmp_path)
    [mark] = workspace.get("/v1/annotations", environment="production").json()["annotations"]
    assert (mark["key"], mark["label"]) == (f"deploy-{SHA}", f"Deploy {SHA[:7]}")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z", mark["time"])
