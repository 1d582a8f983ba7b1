"""The options that say which column becomes what."""

from typing import Any

import pytest

from tallyroom.cli.column_options import ColumnOptions, OptionUnknown
from tallyroom.import_export.mapping import NATIVE_MAPPING, ColumnMapping

EXPORT = ColumnMapping(
    name=("n",), event="seen", code="c", actor=("a", "b"), ignore=("x",), text=("t",), properties="p"
)


def test_no_option_changes_nothing() -> None:
    assert ColumnOptions().apply_to(NATIVE_MAPPING) == NATIVE_MAPPING
    assert ColumnOptions().apply_to(EXPORT) == EXPORT
    assert ColumnOptions().option_columns == ()


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ({"name": "what"}, {"name": ("what",)}),
        ({"event": "e"}, {"name": (), "code": "", "event": "e"}),
        ({"name": "what", "event": "e"}, {"name": ("what",), "code": "", "event": "e"}),
        ({"actor": "who"}, {"actor": ("who",)}),
        ({"actor_label": "l"}, {"label": ("l",)}),
        ({"source": "s"}, {"source": ("s",)}),
        ({"timestamp": "at", "timestamp_unit": "ms"}, {"timestamp": ("at",), "unit": "ms"}),
        ({"timezone": "Europe/Berlin"}, {"zone": "Europe/Berlin"}),
        ({"properties": "props"}, {"properties": "props"}),
        ({"pairs": ("k=v", "a=b=c")}, {"property_columns": {"k": "v", "a": "b=c"}}),
        ({"ignore": ("i",), "text": ("*",)}, {"ignore": ("x", "i"), "text": ("t", "*")}),
        ({"named_only": True}, {"rest": False}),
    ],
)
def test_each_option_wins_over_what_was_there(options: dict[str, Any], changes: dict[str, Any]) -> None:
    applied = ColumnOptions(**options).apply_to(EXPORT)
    assert {field: getattr(applied, field) for field in changes} == changes
    others = {field: getattr(EXPORT, field) for field in EXPORT.__struct_fields__ if field not in changes}
    assert {field: getattr(applied, field) for field in others} == others


def test_the_columns_that_have_to_be_there() -> None:
    options = ColumnOptions(
        name="n", event="e", properties="p", pairs=("k=v",), ignore=("i",), text=("t", "*"), decimal_comma=("d", "*")
    )
    assert options.option_columns == ("n", "p", "v", "i", "t", "d")


@pytest.mark.parametrize("pair", ["k", "=v", "k=", "="])
def test_a_pair_that_is_none(pair: str) -> None:
    with pytest.raises(OptionUnknown, match="does not have the form NEW=COLUMN"):
        ColumnOptions(pairs=(pair,)).apply_to(NATIVE_MAPPING)


@pytest.mark.parametrize("zone", ["", "Berlin", "../etc", "/etc/passwd", "Europe"])
def test_a_zone_that_is_none(zone: str) -> None:
    with pytest.raises(OptionUnknown, match="is not an IANA time zone"):
        ColumnOptions(timezone=zone).apply_to(NATIVE_MAPPING)
