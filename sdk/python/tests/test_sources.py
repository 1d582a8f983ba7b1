"""What the package may import and when, and that every supported Python reads it."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"
MODULES = sorted((SOURCES / "tallyroom_client").rglob("*.py"))
FRAMEWORKS = {"discord", "nextcord", "disnake", "hikari", "aiogram"}
HELPERS = {"discord", "aiogram"}


def imported_packages(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_a_module_needs_the_standard_library_alone(module: Path) -> None:
    part = module.relative_to(SOURCES / "tallyroom_client").parts[0].removesuffix(".py")
    allowed = FRAMEWORKS if part in HELPERS else set()
    strangers = set(imported_packages(module)) - sys.stdlib_module_names - {"tallyroom_client"} - allowed
    assert strangers == set()


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_a_module_is_valid_in_python_3_10(module: Path) -> None:
    ast.parse(module.read_text("utf-8"), feature_version=(3, 10))


def test_an_import_loads_neither_asyncio_nor_ssl_nor_http() -> None:
    code = """if True:
        import sys
        from tallyroom_client import Problem, Tallyroom
        client = Tallyroom(key="k", enabled=False)
        client.track("a")
        print(sorted({"asyncio", "ssl", "http.client", "logging", "threading"} & set(sys.modules)))
    """
    command = [
        sys.executable,
        "-I",
        "-S",
        "-W",
        "error",
        "-c",
        f"import sys; sys.path.insert(0, {str(SOURCES)!r})\n{code}",
    ]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)
    assert done.stdout == "['threading']\n"
