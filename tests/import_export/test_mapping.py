"""What is known about a file before its rows."""

import pytest

from tallyroom.import_export.mapping import NATIVE_MAPPING, ColumnMapping, ColumnUnknown, check_columns


def test_the_same_mapping_has_the_same_fingerprint_and_another_one_another() -> None:
    assert ColumnMapping().fingerprint() == NATIVE_MAPPING.fingerprint()
    one = ColumnMapping(property_columns={"a": "x", "b": "y"})
    assert one.fingerprint() == ColumnMapping(property_columns={"b": "y", "a": "x"}).fingerprint()
    others = [
        NATIVE_MAPPING,
        one,
        ColumnMapping(event="e"),
        ColumnMapping(zone="UTC"),
        ColumnMapping(rest=False),
        ColumnMapping(text=("a",)),
    ]
    assert len({mapping.fingerprint() for mapping in others}) == len(others)


@pytest.mark.parametrize(
    ("mapping", "asked", "columns"),
    [
        (NATIVE_MAPPING, (), ("name", "x")),
        (ColumnMapping(name=("what",)), ("what",), ("what",)),
        (ColumnMapping(name=("a", "b")), (), ("b",)),
        (ColumnMapping(name=(), event="e"), (), ()),
        (ColumnMapping(name=("p.what",)), ("p.what",), ("p",)),
        (ColumnMapping(name=("p.what",)), (), ("p.what",)),
        (ColumnMapping(name=(), code="type"), (), ("type",)),
    ],
)
def test_a_file_that_has_the_columns(mapping: ColumnMapping, asked: tuple[str, ...], columns: tuple[str, ...]) -> None:
    check_columns(mapping, asked, columns)


@pytest.mark.parametrize(
    ("mapping", "asked", "columns", "message"),
    [
        (NATIVE_MAPPING, (), ("a", "b"), "no column name, so its events have no name: .*are: a, b"),
        (ColumnMapping(name=("a", "b")), (), (), "no column a or b, .*are: none"),
        (ColumnMapping(event="e"), ("user",), ("usr",), "^The file has no column user; its columns are: usr.$"),
    ],
)
def test_a_file_that_lacks_a_column(
    mapping: ColumnMapping, asked: tuple[str, ...], columns: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ColumnUnknown, match=message):
        check_columns(mapping, asked, columns)
