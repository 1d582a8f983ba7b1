"""docs/glossary.md has each word of the product once, in alphabetical order, and says where the code keeps it."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "src" / "tallyroom"
ROW = re.compile(r"^\| (?P<word>[^|]+) \| (?P<meaning>[^|]+) \| (?:`(?P<home>[\w/.]+)` )?\|$")


def table() -> list[re.Match[str]]:
    _, rows = re.split(
        r"^\|(?: --- \|){3}\n", (ROOT / "docs" / "glossary.md").read_text("utf-8"), maxsplit=1, flags=re.MULTILINE
    )
    matches = [(line, ROW.match(line)) for line in rows.splitlines()]
    assert [line for line, match in matches if match is None] == []
    return [match for _, match in matches if match]


ROWS = table()
WORDS = [row["word"] for row in ROWS]
HOMES = [row["home"] for row in ROWS if row["home"]]


def singular(word: str) -> str:
    return re.sub("s$", "", re.sub("ies$", "y", word))


@cache
def names_of(module: Path) -> set[str]:
    """What a module defines at its top."""
    if not module.is_file():
        return set()
    text = module.read_text(encoding="utf-8")
    defined = {
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assigned = re.findall(r"^(\w+)(?:: [^=]+)? = ", text, re.MULTILINE)
    return defined.union(assigned)


def test_the_words_are_in_alphabetical_order() -> None:
    assert sorted(WORDS, key=str.casefold) == WORDS


def test_no_word_appears_twice() -> None:
    assert len({singular(word.casefold()) for word in WORDS}) == len(WORDS)


def is_there(home: str) -> bool:
    path, _, name = home.partition(".")
    module = PROGRAM / f"{path}.py"
    return name in names_of(module) if name else module.is_file() or (PROGRAM / path).is_dir()


def test_every_word_is_where_it_says() -> None:
    assert len(HOMES) > 50
    assert [home for home in HOMES if not is_there(home)] == []
