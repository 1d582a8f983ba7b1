"""The compact protocol: what is written is read back, and known bytes are what the protocol says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.events.export.thrift import Field, List, Struct, decode, encode

TRUE, FALSE, BYTE, I16, I32, I64, BINARY, LIST, STRUCT = 1, 2, 3, 4, 5, 6, 8, 9, 12

_integers = st.integers(-(2**63), 2**63 - 1)
_plain: dict[int, st.SearchStrategy[Any]] = {
    BYTE: st.integers(0, 255),
    I16: st.integers(-(2**15), 2**15 - 1),
    I32: st.integers(-(2**31), 2**31 - 1),
    I64: _integers,
    BINARY: st.binary(max_size=300),
}


def _list(type_: int, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(values, max_size=20).map(lambda found: List(type_, found))


def _fields(structs: st.SearchStrategy[Struct]) -> st.SearchStrategy[Struct]:
    kinds = [values.map(lambda value, type_=type_: (type_, value)) for type_, values in _plain.items()]  # type: ignore[misc] # mypy infers no default
    kinds += [st.sampled_from([(TRUE, TRUE), (FALSE, FALSE)])]
    kinds += [_list(type_, values).map(lambda value: (LIST, value)) for type_, values in _plain.items()]
    kinds += [_list(TRUE, st.sampled_from([TRUE, FALSE])).map(lambda value: (LIST, value))]
    kinds += [structs.map(lambda value: (STRUCT, value)), _list(STRUCT, structs).map(lambda value: (LIST, value))]
    return st.dictionaries(st.integers(1, 2000), st.one_of(kinds), max_size=6).map(
        lambda found: [Field(id_, *found[id_]) for id_ in sorted(found)]
    )


structs: st.SearchStrategy[Struct] = st.recursive(st.just([]), _fields, max_leaves=10)


@given(structs)
def test_what_is_written_is_read_back(struct: Struct) -> None:
    assert decode(encode(struct)) == struct
    assert decode(encode(struct) + b"what follows") == struct


KNOWN = {
    "empty": ([], "00"),
    "true": ([Field(1, TRUE, TRUE)], "1100"),
    "zigzag": ([Field(1, I32, -1)], "150100"),
    "two bytes": ([Field(1, I64, 150)], "16ac0200"),
    "text": ([Field(4, BINARY, b"ab")], "4802616200"),
    "next id": ([Field(1, BYTE, 7), Field(2, BYTE, 8)], "1307130800"),
    "far id": ([Field(100, BYTE, 7)], "03c8010700"),
    "list": ([Field(1, LIST, List(I32, [0, 1]))], "1925000200"),
    "long list": ([Field(1, LIST, List(BYTE, [9] * 15))], "19f30f" + "09" * 15 + "00"),
    "struct": ([Field(1, STRUCT, [Field(1, BYTE, 1)])], "1c13010000"),
}


@pytest.mark.parametrize(("struct", "written"), KNOWN.values(), ids=KNOWN)
def test_known_bytes(struct: Struct, written: str) -> None:
    assert encode(struct).hex() == written
    assert decode(bytes.fromhex(written)) == struct


@given(structs)
def test_bytes_stand_for_a_struct(struct: Struct) -> None:
    as_bytes = [Field(1, LIST, List(STRUCT, [encode(struct)] * 2)), Field(2, STRUCT, encode(struct))]
    assert decode(encode(as_bytes)) == [Field(1, LIST, List(STRUCT, [struct, struct])), Field(2, STRUCT, struct)]


@pytest.mark.parametrize("type_", [0, 7, 10, 11, 13, 15])
def test_a_type_that_parquet_does_not_use(type_: int) -> None:
    with pytest.raises(ValueError, match=f"type {type_} "):
        decode(bytes([0x10 | type_, 0, 0]))
