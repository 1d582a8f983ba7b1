"""The README, and then the howtos in any order on one server: each page once, in a new terminal, whole."""

import random
from pathlib import Path

import pytest

from harness.pasted import all_blocks, blocks, in_one_terminal, like_a_clone, new_terminal
from harness.server import Server

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "howto").glob("*.md"))
KEPT = ("TALLYROOM_URL", "TALLYROOM_KEY", "TALLYROOM_TOKEN")


def readme(server: Server, directory: Path) -> dict[str, str]:
    """What the README leaves in the terminal of its reader."""
    tell = 'printf "\\n%s\\n%s\\n%s\\n" "$TALLYROOM_URL" "$TALLYROOM_KEY" "$TALLYROOM_TOKEN"\n'
    pasted = blocks(ROOT / "README.md", "First event in a minute")
    *_, told = in_one_terminal(
        [*pasted, pasted[0]._replace(code=tell)], new_terminal(directory, TALLYROOM_URL=server.url), directory
    )
    return dict(zip(KEPT, told.split("\n")[-4:-1], strict=True))


def paste_all(pages: list[Path], directory: Path) -> None:
    """Nothing that a page says may fail; what it leads to is a matter of the page's own test."""
    server = Server(directory / "server").start()
    try:
        clone = directory / "clone"
        clone.mkdir()
        like_a_clone(clone, server.data)
        variables = readme(server, clone)
        for page in pages:
            for output in in_one_terminal(all_blocks(page), new_terminal(clone, **variables), clone):
                assert '"error":' not in output, f"{page.name}: {output}"
    finally:
        server.stop()


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
