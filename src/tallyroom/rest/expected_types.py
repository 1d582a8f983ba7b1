"""What a type takes at a place in a body: the fields of an object, the values of a choice."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

Path = Sequence[str | int]


def fields_at(kind: Any, path: Path) -> list[str]:
    """The fields of the objects that the type `kind` takes at `path`, by their names in JSON."""
    names = (
        field.encode_name for choice in _at(kind, path) if _is(choice, msgspec.Struct) for field in _fields(choice)
    )
    return list(dict.fromkeys(names))


def values_at(kind: Any, path: Path) -> list[str]:
    """The values of a choice that the type `kind` takes at `path`, in their order; none where it takes any."""
    values: list[Any] = []
    for choice in _at(kind, path):
        if get_origin(choice) is Literal:
            values += get_args(choice)
        elif _is(choice, Enum):
            values += [member.value for member in choice]
    return [str(value) for value in values]


def _at(kind: Any, path: Path) -> list[Any]:
    kinds = list(_choices(kind))
    for step in path:
        kinds = [choice for outer in kinds for inner in _inside(outer, step) for choice in _choices(inner)]
    return kinds


def _choices(kind: Any) -> Iterator[Any]:
    """The types that a type stands for. The values of a dict are among them, as no step of a path leads to them."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _choices(arguments[0])
    elif origin in {Union, UnionType}:
        for argument in arguments:
            yield from _choices(argument)
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
