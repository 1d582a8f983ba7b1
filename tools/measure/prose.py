"""How much of the code is docstrings, and how many markers of translated English stand in 10,000 words of each text."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_MARKER = re.compile(
    r"""\b(?:
        stands?\b(?![ -](?:for|up|out|alone|by|in)\b) | whoever | whatever | whichever | from\ then\ on | anew | nobody
        | of\ (?:its|their|his)\ own | beside | what\ (?:became|came)\ of | is\ named\ so | the\ very | leads?\ nowhere
        | tells?\ (?:so|why) | (?:is|are)\ told | it\ says\ so | says?\ so | at\ all\ times | as\ it\ (?:is|was)\ now
        | brought\ back | what\ is\ gone | makes?\ a\ mistake | asks?\ for\ nothing | takes?\ (?:it|them)\ for
        | too,\ or | no\ more\ than\ that | that\ is\ all | of\ which\ (?:one|each) | all\ of\ (?:it|them)\ at\ once
        | counts\ nowhere | in\ the\ meantime\ of | (?:is|are)\ looked\ at | looks?\ (?:it|them)\ up | in\ turns?
        | without\ end
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
_CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z][A-Za-z'\u2019-]*")
_COMMENT_OR_IMPORT = re.compile(r"/\*.*?\*/|//[^\n]*|^import .*?;$", re.DOTALL | re.MULTILINE)
_TEXT_ON_SCREEN = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`|>([^<>{}]+)<")
_CODE_ON_SCREEN = re.compile(r"[;=]|\bvar\(")


def docstring_lines_per_1000(files: Iterable[Path]) -> float:
    """Return how many of 1,000 lines of Python are docstrings."""
    texts = [file.read_text(encoding="utf-8") for file in files]
    lines = sum(text.count("\n") for text in texts)
    return 1000 * sum(map(_count_docstring_lines, texts)) / max(lines, 1)


def _count_docstring_lines(text: str) -> int:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return sum(
        (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
        for node in ast.walk(ast.parse(text))
        if isinstance(node, documented) and node.body and ast.get_docstring(node, clean=False) is not None
    )


def markers_per_10000(texts: Iterable[str]) -> float:
    """Return how many markers stand in 10,000 words; code and the targets of links are left out."""
    plain_texts = [_CODE.sub(" ", text) for text in texts]
    words = sum(len(_WORD.findall(text)) for text in plain_texts)
    return 10_000 * sum(len(_MARKER.findall(text)) for text in plain_texts) / max(words, 1)


def texts_by_group(root: Path) -> dict[str, list[str]]:
    """Return the texts that people read: the documentation by folder, the texts on screen, and those of errors."""
    folders = {"README and the like": root, "docs": root / "docs"}
    folders |= {f"docs/{folder.name}": folder for folder in sorted((root / "docs").iterdir()) if folder.is_dir()}
    groups = {
        name: [file.read_text(encoding="utf-8") for file in folder.glob("*.md")] for name, folder in folders.items()
    }
    screen = sorted((root / "web" / "src").rglob("*.ts*"))
    groups["texts on screen"] = [
        text for file in screen if ".gen." not in file.name and ".test." not in file.name for text in screen_texts(file)
    ]
    modules = [module for folder in ("src", "sdk/python/src") for module in sorted((root / folder).rglob("*.py"))]
    groups["errors"] = [text for module in modules for text in error_texts(module)]
    groups["sdk"] = [page.read_text(encoding="utf-8") for page in sorted((root / "sdk").rglob("*.md"))]
    return {name: texts for name, texts in groups.items() if texts}


def screen_texts(file: Path) -> Iterator[str]:
    """Yield the strings of three words or more, and the text between tags."""
    text = _COMMENT_OR_IMPORT.sub(" ", file.read_text(encoding="utf-8"))
    for match in _TEXT_ON_SCREEN.finditer(text):
        words = next((group for group in match.groups() if group is not None), "")
        if words.count(" ") > 1 and re.search("[a-z]{3}", words) and not _CODE_ON_SCREEN.search(words):
            yield words


def error_texts(file: Path) -> Iterator[str]:
    """Yield the strings of three words or more in `raise` statements."""
    for statement in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for node in ast.walk(statement) if isinstance(statement, ast.Raise) else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(" ") > 1:
                yield node.value
