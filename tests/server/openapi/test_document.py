"""The OpenAPI document of a running server: whole, closed and true."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tallyroom.core.event_limits import (
    MAX_ACTOR_LENGTH,
    MAX_EVENTS,
    MAX_LABEL_LENGTH,
    MAX_NAME_LENGTH,
    MAX_SOURCE_LENGTH,
)
from tallyroom.dashboards.registry import KINDS

METHODS = {"get", "post", "patch", "put", "delete"}


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def inside(node: Any) -> Iterator[Any]:
    yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from inside(child)


def resolved(document: Any, schema: Any) -> Any:
    return document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


def bodies(document: Any, schema: Any) -> Iterator[Any]:
    """A schema and all that it may stand for."""
    schema = resolved(document, schema)
    choices = [*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())]
    for choice in choices:
        yield from bodies(document, choice)
    if not choices:
        yield schema


def test_it_is_an_openapi_document_of_this_version(document: Any) -> None:
    assert re.fullmatch(r"3\.1\.\d", document["openapi"])
    assert document["info"]["title"] == "Tallyroom"
    assert document["paths"]


def test_an_answer_without_a_body_is_not_documented_as_null(document: Any) -> None:
    empty = [
        (path, status)
        for path, _, operation in operations(document)
        for status, response in operation["responses"].items()
        if "content" not in response
    ]
    assert ("/v1/auth/reset", "202") in empty
    assert ("/v1/auth/password", "204") in empty
    assert {"type": "null"} not in [
        content.get("schema")
        for _, _, operation in operations(document)
        for response in operation["responses"].values()
        for content in response.get("content", {}).values()
    ]


def test_every_reference_leads_somewhere(document: Any) -> None:
    references = {node["$ref"] for node in inside(document) if isinstance(node, dict) and "$ref" in node}
    names = {reference.removeprefix("#/components/schemas/") for reference in references}
    assert names
    assert names <= set(document["components"]["schemas"])


def test_every_operation_is_named_once_and_tells_its_answers(document: Any) -> None:
    ids = []
    for path, method, operation in operations(document):
        assert method in METHODS
        assert operation["summary"], path
        ids.append(operation["operationId"])
        answers = operation["responses"]
        assert any(status.startswith("2") for status in answers), (path, method)
        assert all(answer["description"] for answer in answers.values())
    assert len(ids) == len(set(ids))


def test_every_refusal_has_the_one_error_shape(document: Any) -> None:
    for path, method, operation in operations(document):
        refusals = {status: answer for status, answer in operation["responses"].items() if status[0] in "d45"}
        if path != "/readyz":
            assert refusals, (path, method)
        for status, answer in refusals.items():
            if (path, status) == ("/readyz", "503"):
                continue
            schema = answer["content"]["application/json"]["schema"]
            if operation["tags"] == ["otlp"]:
                assert schema == {"description": "google.rpc.Status"}, (path, method, status)
                continue
            assert schema == {"$ref": "#/components/schemas/ErrorBody"}, (path, method, status)


def test_every_parameter_of_a_path_is_described(document: Any) -> None:
    for path, _, operation in operations(document):
        described = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
        assert described == set(re.findall(r"\{(\w+)\}", path)), path


OF_STRANGERS = ("/api/bots/", "/votes")
"""What bot lists and their SDKs send has fields of their own."""


def test_every_body_is_closed_to_unknown_fields(document: Any) -> None:
    found = 0
    for path, method, operation in operations(document):
        if any(part in path for part in OF_STRANGERS):
            continue
        for content in operation.get("requestBody", {}).get("content", {}).values():
            for schema in bodies(document, content["schema"]):
                if schema.get("type") == "object":
                    assert schema["additionalProperties"] is False, (path, method)
                    found += 1
    assert found >= 5


def test_ingest_takes_one_event_or_a_batch(document: Any) -> None:
    operation = document["paths"]["/v1/events"]["post"]
    schemas = document["components"]["schemas"]
    assert operation["requestBody"]["content"]["application/json"]["schema"]["oneOf"] == [
        {"$ref": "#/components/schemas/EventIn"},
        {"$ref": "#/components/schemas/EventBatch"},
    ]
    assert set(operation["responses"]) >= {"202", "400", "401", "402", "413", "415", "422", "429", "503"}
    event, batch = schemas["EventIn"], schemas["EventBatch"]
    assert set(event["properties"]) == {"name", "properties", "_actor", "_actorLabel", "_source", "_timestamp"}
    assert event["required"] == ["name"]
    assert event["additionalProperties"] is batch["additionalProperties"] is False
    lengths = {name: schema["maxLength"] for name, schema in event["properties"].items() if "maxLength" in schema}
    assert lengths == {
        "name": MAX_NAME_LENGTH,
        "_actor": MAX_ACTOR_LENGTH,
        "_actorLabel": MAX_LABEL_LENGTH,
        "_source": MAX_SOURCE_LENGTH,
    }
    assert (batch["required"], batch["properties"]["events"]["maxItems"]) == (["events"], MAX_EVENTS)


@pytest.mark.parametrize("end", ["", ".svg", ".png"])
def test_a_picture_takes_a_graph(document: Any, end: str) -> None:
    body = document["paths"][f"/custom/render{end}"]["post"]["requestBody"]
    name = body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
    assert {"data_points", "name", "colors", "theme"} <= set(document["components"]["schemas"][name]["properties"])


def test_no_field_of_an_event_is_said_to_take_null(document: Any) -> None:
    """`null` for a field is refused with 400 (rules/events#event)."""
    event = document["components"]["schemas"]["EventIn"]
    assert [name for name, schema in event["properties"].items() if {"type": "null"} in inside(schema)] == []


def names_in(schema: Any) -> list[str]:
    return [choice["$ref"].removeprefix("#/components/schemas/") for choice in schema["oneOf"]]


def test_every_type_of_widget_tells_its_config_and_its_answers(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert names_in(schemas["WidgetConfig"]) == [kind.config.__name__ for kind in KINDS.values()]
    for kind in KINDS.values():
        config = schemas[kind.config.__name__]
        assert config["additionalProperties"] is False
        assert set(config["properties"]) == set(kind.config.__struct_encode_fields__)
        assert {result.__name__ for result in kind.results} <= set(names_in(schemas["Result"]))
    for name, schema in schemas["Result"]["discriminator"]["mapping"].items():
        result = resolved(document, {"$ref": schema})
        assert name in inside(result["properties"]["kind"])
        assert {"kind", "computedAt"} <= set(result["properties"])


@pytest.mark.parametrize("path", ["/v1/query", "/v1/widgets/{widget_id}/data"])
def test_a_question_answers_a_result(document: Any, path: str) -> None:
    operation = document["paths"][path]["post"]
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {"$ref": "#/components/schemas/Result"}
    assert operation["requestBody"]["required"] is (path == "/v1/query")


@pytest.mark.parametrize("path", ["/v1/query/actors", "/v1/widgets/{widget_id}/actors"])
def test_who_is_behind_a_number_is_a_list_or_a_file(document: Any, path: str) -> None:
    content = document["paths"][path]["post"]["responses"]["200"]["content"]
    assert set(content) == {"application/json", "text/csv"}
    choices = {
        name
        for each in inside(content["application/json"])
        if isinstance(each, dict)
        for name in each.values()
        if isinstance(name, str)
    }
    assert choices == {"#/components/schemas/ActorsBehind", "#/components/schemas/GroupsBehind"}


def test_wherever_a_config_goes_in_or_out_it_is_a_widgets(document: Any) -> None:
    schemas = document["components"]["schemas"]
    found = {
        name: schema["properties"]["config"]
        for name, schema in schemas.items()
        if "config" in schema.get("properties", ())
    }
    assert set(found) == {"WidgetIn", "WidgetChange", "WidgetOut", "QueryIn", "QueryActorsIn", "QueryDifferencesIn"}
    assert set(map(str, found.values())) == {str({"$ref": "#/components/schemas/WidgetConfig"})}


def test_a_filter_has_no_two_meanings(document: Any) -> None:
    filters = document["components"]["schemas"]["SegmentIn"]["properties"]["filters"]
    assert filters["items"] == {"$ref": "#/components/schemas/Filter"}
    assert (filters["minItems"], filters["maxItems"]) == (1, 20)


def test_what_the_contract_names_is_there(document: Any) -> None:
    expected = {
        "/v1/keys",
        "/v1/actors",
        "/v1/actor",
        "/v1/events",
        "/v1/events/stream",
        "/v1/events/refusals",
        "/v1/schema",
        "/healthz",
        "/readyz",
        "/metrics",
    }
    assert expected <= set(document["paths"])


def test_security_names_schemes_that_exist(document: Any) -> None:
    schemes = set(document["components"]["securitySchemes"])
    for path, method, operation in operations(document):
        assert {name for choice in operation.get("security", ()) for name in choice} <= schemes, (path, method)
    assert document["paths"]["/v1/events"]["post"]["security"] == [{"bearer": []}]
