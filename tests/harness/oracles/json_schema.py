"""Whether a JSON value is what a schema of the OpenAPI document says, by the keywords that the document uses."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value == int(value),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}

SAYS_NOTHING = {"title", "description", "default", "discriminator"}
INSIDE = {"properties", "additionalProperties", "items", "prefixItems"}
"""Keywords that refuse no value by themselves; the latter are about what is inside of it."""


def _alike(value: Any, other: Any) -> bool:
    """Whether JSON would write both in the same way, which it does not for 1 and true."""
    return type(value) is type(other) and bool(value == other)


LIMITS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "type": (
        "",
        lambda value, names: any(TYPES[each](value) for each in ([names] if isinstance(names, str) else names)),
    ),
    "enum": ("", lambda value, choices: any(_alike(value, each) for each in choices)),
    "const": ("", _alike),
    "required": ("object", lambda value, names: set(names) <= set(value)),
    "minLength": ("string", lambda value, limit: len(value) >= limit),
    "maxLength": ("string", lambda value, limit: len(value) <= limit),
    "pattern": ("string", lambda value, pattern: re.search(pattern, value) is not None),
    "minItems": ("array", lambda value, limit: len(value) >= limit),
    "maxItems": ("array", lambda value, limit: len(value) <= limit),
    "minimum": ("number", lambda value, limit: value >= limit),
    "maximum": ("number", lambda value, limit: value <= limit),
}
"""What each keyword is about, which may be any value, and when it holds."""


def wrong(document: Mapping[str, Any], schema: Mapping[str, Any], value: Any, at: str = "$") -> list[str]:
    """Where a value is not what a schema says; nothing if it is."""
    if "$ref" in schema:
        return wrong(document, document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], value, at)
    found = [each for keyword, limit in schema.items() for each in _refused(document, keyword, limit, value, at)]
    return [*found, *_inside(document, schema, value, at)]


def _refused(document: Mapping[str, Any], keyword: str, limit: Any, value: Any, at: str) -> Iterator[str]:
    """Whether one keyword refuses the value itself."""
    if keyword in {"oneOf", "anyOf"}:
        choices = [wrong(document, each, value, at) for each in limit]
        fitting = choices.count([])
        if fitting == 0 or (keyword == "oneOf" and fitting > 1):
            yield f"{at} fits {fitting} of {keyword}: {choices}"
    elif keyword in LIMITS:
        about, holds = LIMITS[keyword]
        if (not about or TYPES[about](value)) and not holds(value, limit):
            yield f"{at} breaks {keyword} {limit}"
    else:
        assert keyword in SAYS_NOTHING | INSIDE, f"{keyword} is not understood here"


def _inside(document: Mapping[str, Any], schema: Mapping[str, Any], value: Any, at: str) -> Iterator[str]:
    """What is wrong with the fields of an object, or with the elements of a list."""
    if isinstance(value, dict):
        fields, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for name, each in value.items():
            yield from _one(document, fields.get(name, others), each, f"{at}.{name}")
    elif isinstance(value, list):
        first, others = schema.get("prefixItems", []), schema.get("items", True)
        for place, each in enumerate(value):
            yield from _one(document, first[place] if place < len(first) else others, each, f"{at}[{place}]")


def _one(document: Mapping[str, Any], schema: Mapping[str, Any] | bool, value: Any, at: str) -> list[str]:
    if isinstance(schema, bool):
        return [] if schema else [f"{at} is not allowed"]
    return wrong(document, schema, value, at)
