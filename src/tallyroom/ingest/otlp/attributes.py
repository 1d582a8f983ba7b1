"""Converts OpenTelemetry attributes to properties of an event."""

import base64
import math
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource

from tallyroom.core.event_limits import MAX_DEPTH

Properties = dict[str, Any]
S = TypeVar("S", bound="ScopedRecords")


def build_properties(
    attributes: Iterable[KeyValue],
    base_properties: Properties = {},  # noqa: B006 # only copied
) -> Properties:
    """Return the attributes merged over `base_properties`; of equal keys, the last wins."""
    properties = base_properties.copy()
    for attribute in attributes:
        value = attribute.value
        # Most values are texts or integers; trying these costs less than asking for the kind.
        properties[attribute.key] = (
            value.string_value or value.int_value or _convert_field(value, value.WhichOneof("value"), 1)
        )
    return properties


class ScopedRecords(Protocol):
    """Records of one instrumentation scope, of any kind."""

    @property
    def scope(self) -> InstrumentationScope:
        """The scope."""
        ...


def iterate_scopes(resource: Resource, scopes: Iterable[S]) -> Iterator[tuple[S, Properties]]:
    """Yield the records of each scope of a resource with the attributes of the scope and of the resource."""
    resource_properties = build_properties(resource.attributes)
    for scope_records in scopes:
        yield scope_records, build_properties(scope_records.scope.attributes, resource_properties)


def convert_value(value: AnyValue) -> Any:
    """Return a value as JSON: bytes as base64, numbers that JSON lacks as words, and empty values as null."""
    return _convert_field(value, value.WhichOneof("value"), 1)


def convert_number(number: float) -> float | str:
    """Return a number, or a word if JSON does not have the number."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def format_text(value: Any) -> str:
    """Return a property as text, for example as an actor: numbers as digits, "" for values that have no text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)


def _convert_field(value: AnyValue, value_field: str | None, depth: int) -> Any:
    if value_field is None:
        return None
    content: Any = getattr(value, value_field)
    if value_field == "double_value":
        return convert_number(content)
    if value_field == "bytes_value":
        return base64.b64encode(content).decode()
    if value_field == "array_value":
        return [_convert_inner(inner, depth) for inner in content.values]
    if value_field == "kvlist_value":
        return {pair.key: _convert_inner(pair.value, depth) for pair in content.values}
    return content


def _convert_inner(value: AnyValue, depth: int) -> Any:
    value_field = value.WhichOneof("value")
    if depth >= MAX_DEPTH and value_field in {"array_value", "kvlist_value"}:
        return None
    return _convert_field(value, value_field, depth + 1)
