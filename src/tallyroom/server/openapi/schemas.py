"""Schemas that say more than types can, and those that the framework gets wrong."""

from collections.abc import Iterable
from typing import Any

from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.filters import Filter

Json = dict[str, Any]

REF = "#/components/schemas/{name}"

_CONDITION, _ALTERNATIVES = "FilterCondition", "FilterAlternatives"

_QUESTION_FIELDS = {
    "timeRange": "A window that ends now, or a calendar period. Not beside `from` and `to`.",
    "from": "With `to`, in place of `timeRange`: the first moment, in ISO 8601.",
    "to": "With `from`, in place of `timeRange`: the end, which is not included.",
    "interval": "The length of time buckets, whatever the config says.",
    "compare": "What to compare with, whatever the config says: true and `previous` mean the window before.",
}


def schema(name: str) -> Json:
    """Return a reference to a schema of the document."""
    return {"$ref": REF.format(name=name)}


def mend_lists(node: Any) -> None:
    """Give lists of any length back their items, of which the framework makes a choice between them and anything."""
    if isinstance(node, dict):
        items = node.get("items")
        if isinstance(items, dict) and {} in items.get("oneOf", ()):
            [node["items"]] = [choice for choice in items["oneOf"] if choice]
        for child in node.values():
            mend_lists(child)
    elif isinstance(node, list):
        for child in node:
            mend_lists(child)


def describe_filters(schemas: Json) -> None:
    """Describe a filter as one condition or as alternatives: one struct reads both (rules/questions#filters)."""
    read = schemas[Filter.__name__]["properties"]
    condition = {name: read[name] for name in ("key", "op", "value")}
    schemas[_CONDITION] = _closed(
        _CONDITION,
        "One condition on an event. `value` is a list for `in` and `not_in`, absent for `exists` and `not_exists`,"
        " and one value for all others.",
        condition,
        required=["key", "op"],
    )
    alternatives = {"any": read["any"] | {"items": schema(_CONDITION)}}
    schemas[_ALTERNATIVES] = _closed(
        _ALTERNATIVES, "Conditions of which an event has to meet one.", alternatives, required=["any"]
    )
    schemas[Filter.__name__] = {
        "title": Filter.__name__,
        "description": "What an event has to match.",
        "oneOf": [schema(_CONDITION), schema(_ALTERNATIVES)],
    }


def describe_questions(schemas: Json, with_config: Iterable[str]) -> None:
    """Name the types of widgets wherever there is a `config`, and say what the fields of a question mean."""
    for name in with_config:
        fields = schemas[name]["properties"]
        fields["config"] = schema("WidgetConfig")
        fields["type"] = {"type": "string", "enum": list(KINDS)}
    for component in schemas.values():
        fields = component.get("properties", {})
        if {"timeRange", "from", "to"} <= set(fields):
            for name, text in _QUESTION_FIELDS.items():
                fields[name] = fields[name] | {"description": text}


def _closed(name: str, description: str, properties: Json, *, required: list[str]) -> Json:
    return {
        "title": name,
        "description": description,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
