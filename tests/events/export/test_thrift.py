"""The compact protocol: what is written is read back, and known bytes are what the protocol says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.events.export.thrift import ThriftField, ThriftList, ThriftStruct, decode, encode

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
    return st.lists(values, max_size=20).map(lambda found: ThriftList(type_, found))


def _fields(structs: st.SearchStrategy[ThriftStruct]) -> st.SearchStrategy[ThriftStruct]:
    kinds = [values.map(lambda value, type_=type_: (type_, value)) for type_, values in _plain.items()]  # type: ignore[misc] # mypy infers no default
    kinds += [st.sampled_from([(TRUE, TRUE), (FALSE, FALSE)])]
    kinds += [_list(type_, values).map(lambda value: (LIST, value)) for type_, values in _plain.items()]
    kinds += [_list(TRUE, st.sampled_from([TRUE, FALSE])).map(lambda value: (LIST, value))]
    kinds += [structs.map(lambda value: (STRUCT, value)), _list(STRUCT, structs).map(lambda value: (LIST, value))]
    return st.dictionaries(st.integers(1, 2000), st.one_of(kinds), max_size=6).map(
        lambda found: [ThriftField(id_, *found[id_]) for id_ in sorted(found)]
    )


structs: st.SearchStrategy[ThriftStruct] = st.recursive(st.just([]), _fields, max_leaves=10)


@given(structs)
def test_what_is_written_is_read_back(struct: ThriftStruct) -> None:
    assert decode(encode(struct)) == struct
    assert decode(encode(struct) + b"what follows") == struct


KNOWN = {
    "empty": ([], "00"),
    "true": ([ThriftField(1, TRUE, TRUE)], "1100"),
    "zigzag": ([ThriftField(1, I32, -1)], "150100"),
    "two bytes": ([ThriftField(1, I64, 150)], "16ac0200"),
    "text": ([ThriftField(4, BINARY, b"ab")], "4802616200"),
    "next id": ([ThriftField(1, BYTE, 7), ThriftField(2, BYTE, 8)], "1307130800"),
    "far id": ([ThriftField(100, BYTE, 7)], "03c8010700"),
    "list": ([ThriftField(1, LIST, ThriftList(I32, [0, 1]))], "1925000200"),
    "long list": ([ThriftField(1, LIST, ThriftList(BYTE, [9] * 15))], "19f30f" + "09" * 15 + "00"),
    "struct": ([ThriftField(1, STRUCT, [ThriftField(1, BYTE, 1)])], "1c13010000"),
}


@pytest.mark.parametrize(("struct", "written"), KNOWN.values(), ids=KNOWN)
def test_known_bytes(struct: ThriftStruct, written: str) -> None:
    assert encode(struct).hex() == written
    assert decode(bytes.fromhex(written)) == struct


@given(structs)
def test_bytes_stand_for_a_struct(struct: ThriftStruct) -> None:
    as_bytes = [ThriftField(1, LIST, ThriftList(STRUCT, [encode(struct)] * 2)), ThriftField(2, STRUCT, encode(struct))]
    assert decode(encode(as_bytes)) == [
        ThriftField(1, LIST, ThriftList(STRUCT, [struct, struct])),
        ThriftField(2, STRUCT, struct),
    ]


@pytest.mark.parametrize("type_", [0, 7, 10, 11, 13, 15])
def test_a_type_that_parquet_does_not_use(type_: int) -> None:
    with pytest.raises(ValueError, match=f"type {type_} "):
        decode(bytes([0x10 | type_, 0, 0]))
