"""docs/glossary.md has each word once, in alphabetical order, with every folder and class of the program among them."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "src" / "tallyroom"
ROW = re.compile(r"^\| (?P<word>[^|]+) \| (?P<meaning>[^|]+) \|(?: (?:`(?P<home>[\w/.]+)` )?\|)?$")
HANDLER = re.compile(r"^@(?:get|post|put|patch|delete)\(", re.MULTILINE)


def tables() -> list[list[re.Match[str]]]:
    """The rows of the words of the product, and of the words of the code."""
    _, *parts = re.split(
        r"^\|(?: --- \|){2,3}\n", (ROOT / "docs" / "glossary.md").read_text("utf-8"), flags=re.MULTILINE
    )
    found = []
    for part in parts:
        lines = part.split("\n\n")[0].splitlines()
        rows = [ROW.match(line) for line in lines]
        assert None not in rows, lines[rows.index(None)]
        found.append([row for row in rows if row])
    return found


TABLES = tables()
ROWS = [row for table in TABLES for row in table]
WORDS = [row["word"] for row in ROWS]
HOMES = [row["home"] for row in ROWS if row["home"]]


def singular(word: str) -> str:
    return re.sub("s$", "", re.sub("ies$", "y", word))


def forms(word: str) -> set[str]:
    """A word in singular and plural, as the words of a class name are compared with it."""
    one = word.casefold().replace("-", " ")
    return {one, singular(one), f"{one}s", f"{one}es", re.sub("y$", "ies", one)}


FORMS = {form for word in WORDS for form in forms(word)}


class Class(NamedTuple):
    """A public class of the program."""

    module: Path
    name: str
    bases: set[str]

    @property
    def is_body(self) -> bool:
        """Whether it is the body of a request or an answer."""
        routes = HANDLER.search(self.module.read_text(encoding="utf-8"))
        return self.module.stem == "schemas" or self.name.endswith("Out") or routes is not None


@cache
def classes() -> tuple[Class, ...]:
    return tuple(
        Class(module, node.name, {ast.unparse(base).split(".")[-1] for base in node.bases})
        for module in sorted(PROGRAM.rglob("*.py"))
        for node in ast.parse(module.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def errors() -> set[str]:
    """The names of all exceptions."""
    found = {"Exception"}
    while more := {each.name for each in classes() if each.bases & found} - found:
        found |= more
    return found


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


@pytest.mark.parametrize("table", TABLES, ids=("product", "code"))
def test_the_words_are_in_alphabetical_order(table: list[re.Match[str]]) -> None:
    words = [row["word"] for row in table]
    assert sorted(words, key=str.casefold) == words


def test_no_word_appears_twice() -> None:
    assert len({singular(word.casefold()) for word in WORDS}) == len(WORDS)


def test_every_folder_is_called_by_a_word() -> None:
    files = [path for path in PROGRAM.rglob("*") if path.is_file() and not {"__pycache__", "static"} & set(path.parts)]
    folders = {path.parent.relative_to(PROGRAM) for path in files} - {Path()}
    assert len(folders) > 50
    words = {word.casefold() for word in WORDS}
    names = {folder: folder.name.replace("_", " ") for folder in folders}
    assert [folder for folder, name in names.items() if not words & {name, singular(name)}] == []


def is_a_word(name: str) -> bool:
    """Whether the last words of a class name are one of the glossary."""
    parts = [part.casefold() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)]
    return bool(FORMS & {" ".join(parts[start:]) for start in range(len(parts))})


def test_every_class_is_named_for_what_it_is() -> None:
    wrong = errors()
    names = {each.name for each in classes() if each.name not in wrong and not each.is_body}
    assert len(names) > 400
    assert [name for name in sorted(names) if not is_a_word(name)] == []


def is_there(home: str) -> bool:
    path, _, name = home.partition(".")
    module = PROGRAM / f"{path}.py"
    return name in names_of(module) if name else module.is_file() or (PROGRAM / path).is_dir()


def test_every_word_is_where_it_says() -> None:
    assert len(HOMES) > 100
    assert [home for home in HOMES if not is_there(home)] == []
