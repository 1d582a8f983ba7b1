"""docs/settings.md and the settings are the same table."""

import re
from pathlib import Path

import msgspec

from tallyroom.core.settings import PREFIX, Settings

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
ROW = re.compile(r"^\| `(?P<name>TALLYROOM_\w+)` \| (?P<default>.*?) \| (?P<meaning>.*) \|$", re.MULTILINE)


def documented() -> list[tuple[str, str, str]]:
    found = ROW.finditer(PAGE.read_text(encoding="utf-8"))
    return [(match["name"], match["default"], match["meaning"]) for match in found]


def defined() -> list[tuple[str, str, str]]:
    rows = []
    for field in msgspec.structs.fields(Settings):
        kind = msgspec.inspect.type_info(field.type)
        assert isinstance(kind, msgspec.inspect.Metadata), f"{field.name} has no description"
        meaning = (kind.extra_json_schema or {})["description"]
        rows.append((PREFIX + field.name.upper(), shown(field.default), meaning))
    return rows


def shown(default: object) -> str:
    """A default as it is typed into a shell; nothing for an empty text."""
    text = str(default).lower() if isinstance(default, bool) else str(default)
    return f"`{text}`" if text else "empty"


def test_the_page_lists_every_setting_as_it_is() -> None:
    expected = "\n".join(f"| `{name}` | {default} | {meaning} |" for name, default, meaning in defined())
    assert documented() == defined(), f"the table of docs/settings.md should be:\n{expected}"
