"""docs/rules: every rule is held and cited, every citation leads to one, and nobody cites what is not in the repository."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from harness.oracles.headings import anchors, slug

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
PAGES = sorted(page for page in RULES.glob("*.md") if page.name != "README.md")

CODE = ("src", "tests")
EVERYWHERE = (*CODE, "docs", "bench", "demo")
TEXT = {".py", ".md", ".sql", ".js", ".toml"}
CITATION = re.compile(r"\brules/(?P<rule>[a-z-]+#[a-z0-9-]*)")
HELD = re.compile(r"\[(?P<shown>tests/[\w/]+\.py)\]\(\.\./\.\./(?P<path>[\w/.]+)\)")
ELSEWHERE = re.compile(
    r"\(?\b(?:contract|reliability|performance) \d|\bthe contract\b|\bspecification\b(?!s? of)", re.IGNORECASE
)
"""How rules were cited that stand outside of the repository."""

OF_OTHERS = ("OpenTelemetry", "XDG Base Directory Specification")
"""Specifications that others publish, and that a line may name."""


class Rule(msgspec.Struct, frozen=True):
    """A heading of the third level and what stands below it."""

    page: str
    heading: str
    text: str

    @property
    def name(self) -> str:
        """As it is cited, without ``rules/``."""
        return f"{self.page}#{slug(self.heading)}"

    @property
    def last(self) -> str:
        """Its last paragraph."""
        return re.split(r"\n{2,}", self.text.strip())[-1]


def rules_of(page: Path) -> list[Rule]:
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"^### (.*)\n((?:(?!##).*\n)*)", text, re.MULTILINE)
    return [Rule(page.stem, heading, below) for heading, below in found]


def lines(*folders: str) -> Iterator[tuple[str, str]]:
    """Each line of the texts in these folders, with its place."""
    for folder in folders:
        for path, text in texts(folder):
            for number, line in enumerate(text.splitlines(), start=1):
                yield f"{path}:{number}", line


@cache
def texts(folder: str) -> list[tuple[Path, str]]:
    """The texts in a folder by their paths."""
    return [
        (path.relative_to(ROOT), path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in TEXT and path != Path(__file__) and "node_modules" not in path.parts
    ]


@cache
def citations(*folders: str) -> dict[str, list[str]]:
    """Where each rule is cited."""
    found = defaultdict(list)
    for folder in folders:
        for path, text in texts(folder):
            if "rules/" in text:
                for number, line in enumerate(text.splitlines(), start=1):
                    for match in CITATION.finditer(line):
                        found[match["rule"]].append(f"{path}:{number}")
    return found


EACH = [rule for page in PAGES for rule in rules_of(page)]


def test_the_pages_are_those_of_the_table() -> None:
    table = re.findall(r"^\| \[([\w-]+\.md)\]", (RULES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(table) == [page.name for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_two_headings_of_a_page_have_one_anchor(page: Path) -> None:
    found = anchors(page)
    assert [each for each in found if found.count(each) > 1] == []


@pytest.mark.parametrize("rule", EACH, ids=lambda rule: rule.name)
def test_a_rule_ends_with_the_tests_that_hold_it(rule: Rule) -> None:
    assert rule.last.startswith("Held by ")
    named = HELD.findall(rule.last)
    assert named
    for shown, path in named:
        assert shown == path
        assert (ROOT / path).is_file(), f"{rule.name} is held by {path}, which is not there"


def test_each_citation_leads_to_a_rule() -> None:
    known = {rule.name for rule in EACH}
    cited = citations(*EVERYWHERE)
    assert {name: places for name, places in cited.items() if name not in known} == {}


def test_each_rule_is_cited() -> None:
    cited = citations(*CODE)
    assert [rule.name for rule in EACH if rule.name not in cited] == []


@pytest.mark.long
def test_nobody_cites_what_is_not_here() -> None:
    found = [
        f"{place}: {line.strip()}"
        for place, line in lines(*EVERYWHERE)
        if ELSEWHERE.search(line) and not any(name in line for name in OF_OTHERS)
    ]
    assert found == []
