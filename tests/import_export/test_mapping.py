"""What is known about a file before its rows."""

import pytest

from tallyroom.import_export.mapping import NATIVE_MAPPING, ColumnUnknown, Mapping, check_columns


def test_the_same_mapping_has_the_same_fingerprint_and_another_one_another() -> None:
    assert Mapping().fingerprint() == NATIVE_MAPPING.fingerprint()
    one = Mapping(property_columns={"a": "x", "b": "y"})
    assert one.fingerprint() == Mapping(property_columns={"b": "y", "a": "x"}).fingerprint()
    others = [NATIVE_MAPPING, one, Mapping(event="e"), Mapping(zone="UTC"), Mapping(rest=False), Mapping(text=("a",))]
    assert len({mapping.fingerprint() for mapping in others}) == len(others)


@pytest.mark.parametrize(
    ("mapping", "asked", "columns"),
    [
        (NATIVE_MAPPING, (), ("name", "x")),
        (Mapping(name=("what",)), ("what",), ("what",)),
        (Mapping(name=("a", "b")), (), ("b",)),
        (Mapping(name=(), event="e"), (), ()),
        (Mapping(name=("p.what",)), ("p.what",), ("p",)),
        (Mapping(name=("p.what",)), (), ("p.what",)),
        (Mapping(name=(), code="type"), (), ("type",)),
    ],
)
def test_a_file_that_has_the_columns(mapping: Mapping, asked: tuple[str, ...], columns: tuple[str, ...]) -> None:
    check_columns(mapping, asked, columns)


@pytest.mark.parametrize(
    ("mapping", "asked", "columns", "message"),
    [
        (NATIVE_MAPPING, (), ("a", "b"), "no column name, so its events have no name: .*are: a, b"),
        (Mapping(name=("a", "b")), (), (), "no column a or b, .*are: none"),
        (Mapping(event="e"), ("user",), ("usr",), "^The file has no column user; its columns are: usr.$"),
    ],
)
def test_a_file_that_lacks_a_column(
    mapping: Mapping, asked: tuple[str, ...], columns: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ColumnUnknown, match=message):
        check_columns(mapping, asked, columns)
