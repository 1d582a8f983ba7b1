"""tools/measure: which names are bare, what a room, an arrow and a floor are, and what counts as prose."""

from pathlib import Path

import pytest
from tools.measure.names import python_names, typescript_names
from tools.measure.prose import docstring_lines_per_1000, markers_per_10000, texts_by_group
from tools.measure.rooms import rooms_of
from tools.measure.words import is_bare, is_irregular


@pytest.mark.parametrize(
    ("name", "bare", "irregular"),
    [
        ("found", True, True),
        ("each", True, True),
        ("_KEPT", True, True),
        ("stored", True, False),
        ("seed", False, False),
        ("accepted", False, False),
        ("rest", False, False),
        ("found_rows", False, False),
        ("rows", False, False),
    ],
)
def test_a_participle_or_pronoun_alone_is_bare(name: str, bare: bool, irregular: bool) -> None:
    assert (is_bare(name), is_irregular(name)) == (bare, irregular)


def test_a_name_counts_once_in_each_scope_of_python(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def f(found, *, rows):\n    found = [each for each in rows]\n    return lambda found: found\n")
    names = python_names([module])
    assert (names.counts_by_path[module], names.bare()) == ({"found": 2, "each": 1, "rows": 1}, {"found": 2, "each": 1})
    assert (names.bare_per_1000(), names.irregular_per_1000()) == (750, 750)


def test_a_name_counts_once_in_a_file_of_typescript(tmp_path: Path) -> None:
    file = tmp_path / "file.ts"
    file.write_text("const found = rows.map((each) => each.id);\nconst { kept, total } = found;\nlet found = 1;\n")
    assert typescript_names([file]).counts_by_path[file] == {"found": 1, "each": 1, "kept": 1, "total": 1}


def checkout(folder: Path, modules: dict[str, str]) -> Path:
    for name, text in modules.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_rooms_arrows_and_floors(tmp_path: Path) -> None:
    rooms = rooms_of(
        checkout(
            tmp_path,
            {
                "src/tallyroom/__init__.py": '"""Defines nothing."""\n',
                "src/tallyroom/__main__.py": "from tallyroom.top import main\n",
                "src/tallyroom/top/main.py": "from tallyroom.core import clock\nfrom tallyroom.core.clock import now\n",
                "src/tallyroom/core/clock.py": "",
                "bench/speed.py": "import tallyroom.top.main\n",
            },
        )
    )
    assert rooms.imports_by_room == {"__main__": {"top"}, "top": {"core"}, "core": set(), "bench": {"top"}}
    assert (rooms.arrows(), rooms.floors()) == (3, 3)


def test_a_circle_is_named(tmp_path: Path) -> None:
    modules = {
        "src/tallyroom/a/one.py": "import tallyroom.b.two\n",
        "src/tallyroom/b/two.py": "import tallyroom.a.one\n",
    }
    with pytest.raises(ValueError, match="a circle of rooms: a -> b -> a"):
        rooms_of(checkout(tmp_path, modules)).floors()


def test_docstrings_are_counted_by_their_lines(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""One."""\n\n\ndef f():\n    """Two\n\n    lines.\n    """\n    "no docstring"\n\n')
    assert docstring_lines_per_1000([module]) == 500


def test_markers_are_counted_outside_of_code_and_links() -> None:
    assert markers_per_10000(
        ["Nobody stands here.", "`nobody` ```\nanew\n``` [a](whoever) stands for b"]
    ) == pytest.approx(20_000 / 7)
    assert markers_per_10000([]) == 0


def test_texts_are_grouped_by_who_reads_them(tmp_path: Path) -> None:
    checkout(
        tmp_path,
        {
            "README.md": "a",
            "docs/api.md": "b",
            "docs/howto/start.md": "c",
            "docs/images/logo.svg": "no text",
            "web/src/Page.tsx": '// a comment of words\n<p>Nothing is here yet</p>; const id = "a b"; const t = "no such page exists";',
            "web/src/Page.test.tsx": "<p>Nothing of a test</p>",
            "src/tallyroom/a.py": "x = 'not an error text'\nraise E(f'the field {x} is not known')\n",
        },
    )
    assert texts_by_group(tmp_path) == {
        "README and the like": ["a"],
        "docs": ["b"],
        "docs/howto": ["c"],
        "texts on screen": ["Nothing is here yet", "no such page exists"],
        "errors": ["the field ", " is not known"],
    }
