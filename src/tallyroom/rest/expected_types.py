"""What a type accepts at a path in a body: the fields of an object, the values of a choice."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

Path = Sequence[str | int]


def find_fields_at(type_: Any, path: Path) -> list[str]:
    """Return the JSON names of the fields of objects that a type accepts at `path`."""
    names = (
        field.encode_name
        for choice in _types_at(type_, path)
        if _is_subclass(choice, msgspec.Struct)
        for field in msgspec.structs.fields(choice)
    )
    return list(dict.fromkeys(names))


def find_values_at(type_: Any, path: Path) -> list[str]:
    """Return the values of a choice that a type accepts at `path`, in order; empty if it accepts any."""
    values: list[Any] = []
    for choice in _types_at(type_, path):
        if get_origin(choice) is Literal:
            values += get_args(choice)
        elif _is_subclass(choice, Enum):
            values += [member.value for member in choice]
    return [str(value) for value in values]


def _types_at(type_: Any, path: Path) -> list[Any]:
    types = list(_expand_type(type_))
    for step in path:
        types = [
            expanded
            for outer_type in types
            for inner_type in _inner_types(outer_type, step)
            for expanded in _expand_type(inner_type)
        ]
    return types


def _expand_type(type_: Any) -> Iterator[Any]:
    """Yield the alternatives of a type. A dict yields its values, because paths have no step for them."""
    origin, arguments = get_origin(type_), get_args(type_)
    if origin is Annotated:
        yield from _expand_type(arguments[0])
    elif origin in {Union, UnionType}:
        for argument in arguments:
            yield from _expand_type(argument)
    elif origin is dict:
        yield from _expand_type(arguments[1])
    else:
        yield type_


def _inner_types(type_: Any, step: str | int) -> Iterable[Any]:
    if _is_subclass(type_, msgspec.Struct):
        return [field.type for field in msgspec.structs.fields(type_) if field.encode_name == step]
    return get_args(type_)[:1] if get_origin(type_) in {list, tuple} else ()


def _is_subclass(type_: Any, base: type) -> bool:
    return isinstance(type_, type) and issubclass(type_, base)
