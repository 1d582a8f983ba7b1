"""docs/glossary.md has each word once, in alphabetical order, with every folder of the program among them."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "src" / "tallyroom"
ROW = re.compile(r"^\| (?P<word>[^|]+) \| (?P<meaning>[^|]+) \| (?:`(?P<home>[\w/.]+)` )?\|$")


def rows() -> list[re.Match[str]]:
    _, table = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("| --- | --- | --- |\n")
    found = [ROW.match(line) for line in table.splitlines()]
    assert None not in found, table.splitlines()[found.index(None)]
    return [row for row in found if row]


WORDS = [row["word"] for row in rows()]
HOMES = [row["home"] for row in rows() if row["home"]]
FILES = [path for path in PROGRAM.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
FOLDERS = sorted({path.parent.relative_to(PROGRAM) for path in FILES} - {Path()})


def singular(word: str) -> str:
    return re.sub("s$", "", re.sub("ies$", "y", word))


def names_of(module: Path) -> set[str]:
    """What a module defines at its top."""
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


def test_no_word_stands_twice() -> None:
    assert len({singular(word.casefold()) for word in WORDS}) == len(WORDS)


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_every_folder_is_called_by_a_word(folder: Path) -> None:
    words = {word.casefold() for word in WORDS}
    name = folder.name.replace("_", " ")
    assert words & {name, singular(name)}


@pytest.mark.parametrize("home", HOMES)
def test_every_word_is_where_it_says(home: str) -> None:
    path, _, name = home.partition(".")
    module = PROGRAM / f"{path}.py"
    if name:
        assert name in names_of(module)
    else:
        assert module.is_file() or (PROGRAM / path).is_dir()
