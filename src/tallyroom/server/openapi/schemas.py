"""Schemas that say more than types can, and those that the framework gets wrong."""

from collections.abc import Iterable
from typing import Any

from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.filters import Filter

Json = dict[str, Any]

REF_TEMPLATE = "#/components/schemas/{name}"

_CONDITION_NAME, _ALTERNATIVES_NAME = "FilterCondition", "FilterAlternatives"

_DESCRIPTION_BY_QUESTION_FIELD = {
    "timeRange": "A time range that ends now, or a calendar period. Cannot be combined with `from` and `to`.",
    "from": "With `to`, instead of `timeRange`: the start, in ISO 8601.",
    "to": "With `from`, instead of `timeRange`: the end, exclusive, in ISO 8601.",
    "interval": "The length of time buckets; overrides the config.",
    "compare": "What to compare with; overrides the config. true and `previous` mean the previous time range.",
}


def schema_reference(name: str) -> Json:
    """Return a reference to a schema of the document."""
    return {"$ref": REF_TEMPLATE.format(name=name)}


def describe_json_body(schema: Json) -> Json:
    """Describe a required body in JSON."""
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def describe_error(text: str) -> Json:
    """Describe a refusal in the one error shape."""
    return {"description": text, "content": {"application/json": {"schema": schema_reference("ErrorBody")}}}


def restore_list_items(node: Any) -> None:
    """Give lists of any length back their items, of which the framework makes a choice between them and anything."""
    if isinstance(node, dict):
        items = node.get("items")
        if isinstance(items, dict) and {} in items.get("oneOf", ()):
            [node["items"]] = [choice for choice in items["oneOf"] if choice]
        for child in node.values():
            restore_list_items(child)
    elif isinstance(node, list):
        for child in node:
            restore_list_items(child)


def describe_filters(schemas: Json) -> None:
    """Describe a filter as one condition or as alternatives: one struct reads both (rules/questions#filters)."""
    filter_fields = schemas[Filter.__name__]["properties"]
    condition_properties = {name: filter_fields[name] for name in ("key", "op", "value")}
    schemas[_CONDITION_NAME] = _build_closed_object(
        _CONDITION_NAME,
        "One condition on an event. `value` is a list for `in` and `not_in`, absent for `exists` and `not_exists`,"
        " and one value for all others.",
        condition_properties,
        required=["key", "op"],
    )
    alternative_properties = {"any": filter_fields["any"] | {"items": schema_reference(_CONDITION_NAME)}}
    schemas[_ALTERNATIVES_NAME] = _build_closed_object(
        _ALTERNATIVES_NAME,
        "Conditions of which an event must meet at least one.",
        alternative_properties,
        required=["any"],
    )
    schemas[Filter.__name__] = {
        "title": Filter.__name__,
        "description": "A condition that events must meet.",
        "oneOf": [schema_reference(_CONDITION_NAME), schema_reference(_ALTERNATIVES_NAME)],
    }


def describe_question_fields(schemas: Json, config_type_names: Iterable[str]) -> None:
    """Name the types of widgets wherever there is a `config`, and say what the fields of a question mean."""
    for name in config_type_names:
        fields = schemas[name]["properties"]
        fields["config"] = schema_reference("WidgetConfig")
        fields["type"] = {"type": "string", "enum": list(KINDS)}
    for component in schemas.values():
        fields = component.get("properties", {})
        if {"timeRange", "from", "to"} <= set(fields):
            for name, description in _DESCRIPTION_BY_QUESTION_FIELD.items():
                fields[name] = fields[name] | {"description": description}


def _build_closed_object(name: str, description: str, properties: Json, *, required: list[str]) -> Json:
    return {
        "title": name,
        "description": description,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
