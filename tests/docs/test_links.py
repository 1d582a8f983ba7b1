"""Every page that a page links to exists, with the heading that it names."""

import re
from pathlib import Path

import pytest

from harness.oracles.headings import anchors

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md"), *ROOT.glob("sdk/**/*.md")])
LINK = re.compile(r"\]\((?!https?://)(?P<path>[^)#]*)(?:#(?P<heading>[^)]*))?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.finditer(page.read_text(encoding="utf-8")):
        target = page.parent / link["path"] if link["path"] else page
        assert target.exists(), f"{page.name} links to {link['path']}"
        if link["heading"]:
            assert link["heading"] in anchors(target), f"{target.name} has no heading #{link['heading']}"
