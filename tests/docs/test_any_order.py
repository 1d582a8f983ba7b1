"""The README, and then the howtos in any order on one server: each page once, in a new terminal, whole."""

import random
from pathlib import Path

import httpx
import pytest

from harness.servers.server import Server
from harness.suite.pasted_blocks import Block, all_blocks, blocks, in_one_terminal, like_a_clone, new_terminal

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "howto").glob("*.md"))
KEPT = ("TALLYROOM_URL", "TALLYROOM_KEY", "TALLYROOM_TOKEN")
TELL = Block("sh", 'printf "\\n%s\\n%s\\n%s\\n" "$TALLYROOM_URL" "$TALLYROOM_KEY" "$TALLYROOM_TOKEN"\n')


def readme(server: Server, directory: Path) -> dict[str, str]:
    """What the README leaves in the terminal of its reader."""
    pasted = blocks(ROOT / "README.md", "First event in a minute")
    outputs = in_one_terminal([*pasted, TELL], new_terminal(directory, TALLYROOM_URL=server.url), directory)
    return told(outputs)


def told(outputs: list[str]) -> dict[str, str]:
    """What `TELL` said, as the last block."""
    return dict(zip(KEPT, outputs[-1].split("\n")[-4:-1], strict=True))


def signed_in(variables: dict[str, str]) -> tuple[str, str]:
    """Who the terminal is, and as what."""
    header = {"authorization": f"Bearer {variables['TALLYROOM_TOKEN']}"}
    me = httpx.get(f"{variables['TALLYROOM_URL']}/v1/auth/me", headers=header).raise_for_status().json()
    return me["user"]["email"], me["role"]


def without_token(variables: dict[str, str]) -> dict[str, str]:
    """A page may sign the same person in once more."""
    return {name: value for name, value in variables.items() if name != "TALLYROOM_TOKEN"}


def paste_all(pages: list[Path], directory: Path) -> None:
    """Nothing that a page says may fail, and the terminal stays as it is after the README, so that any page may follow.

    What a page leads to is a matter of its own test.
    """
    server = Server(directory / "server").start()
    try:
        clone = directory / "clone"
        clone.mkdir()
        like_a_clone(clone, server.data)
        variables = readme(server, clone)
        for page in pages:
            outputs = in_one_terminal([*all_blocks(page), TELL], new_terminal(clone, **variables), clone)
            for output in outputs:
                assert '"requestId":' not in output, f"{page.name}: {output}"  # every refusal has one
            left = told(outputs)
            assert without_token(left) == without_token(variables), page.name
            assert signed_in(left) == ("you@example.com", "owner"), page.name
    finally:
        server.stop()


@pytest.mark.long
def test_three_pages_backwards(tmp_path: Path) -> None:
    """Those that change what is shared: dashboards, groups and their keys, people."""
    paste_all([page for page in PAGES if page.stem in {"dashboards", "groups", "people"}][::-1], tmp_path)


@pytest.mark.long
def test_from_the_last_page_to_the_first(tmp_path: Path) -> None:
    """The other way round from how a test of each page in its turn would come."""
    paste_all(PAGES[::-1], tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_in_any_order(seed: int, tmp_path: Path) -> None:
    paste_all(random.Random(seed).sample(PAGES, len(PAGES)), tmp_path)  # an order, no secret


def test_no_page_takes_anything_away_from_the_others() -> None:
    """No lower plan, and nothing that deletes events of an environment that others share."""
    for page in PAGES:
        for block in all_blocks(page):
            assert "set-plan" not in block.code or " free" not in block.code
            assert "environments/production" not in block.code
            assert "environments/development" not in block.code
