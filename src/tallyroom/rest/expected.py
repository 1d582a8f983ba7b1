"""What a type takes at a place in a body: the fields of an object, the values of a choice."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

Path = Sequence[str | int]


def fields_at(kind: Any, path: Path) -> list[str]:
    """The fields of the objects that the type `kind` takes at `path`, by their names in JSON."""
    names = (field.encode_name for each in _at(kind, path) if _is(each, msgspec.Struct) for field in _fields(each))
    return list(dict.fromkeys(names))


def values_at(kind: Any, path: Path) -> list[str]:
    """The values of a choice that the type `kind` takes at `path`, in their order; none where it takes any."""
    found: list[Any] = []
    for each in _at(kind, path):
        if get_origin(each) is Literal:
            found += get_args(each)
        elif _is(each, Enum):
            found += [member.value for member in each]
    return [str(value) for value in found]


def _at(kind: Any, path: Path) -> list[Any]:
    found = list(_choices(kind))
    for step in path:
        found = [choice for each in found for inner in _inside(each, step) for choice in _choices(inner)]
    return found


def _choices(kind: Any) -> Iterator[Any]:
    """The types that a type stands for. The values of a dict are among them, as no step of a path leads to them."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _choices(arguments[0])
    elif origin in {Union, UnionType}:
        for each in arguments:
            yield from _choices(each)
    elif origin is dict:
        yield from _choices(arguments[1])
    else:
        yield kind


def _inside(kind: Any, step: str | int) -> Iterable[Any]:
    if _is(kind, msgspec.Struct):
        return [field.type for field in _fields(kind) if field.encode_name == step]
    return get_args(kind)[:1] if get_origin(kind) in {list, tuple} else ()


def _fields(kind: Any) -> Iterable[msgspec.structs.FieldInfo]:
    return msgspec.structs.fields(kind)


def _is(kind: Any, above: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, above)
