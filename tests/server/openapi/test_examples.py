"""The examples of the OpenAPI document: the server takes each question and answers as its example does."""

from typing import Any

import pytest

from harness.builders.example_events import EXAMPLE_EVENTS
from harness.clients.dashboards import make_dashboard, make_external_source
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.json_schema import wrong
from harness.servers.server import Server
from harness.suite.few import few
from tallyroom.dashboards.registry import KINDS
from tallyroom.server.openapi.examples import QueryExample, load_query_examples

EXAMPLES = load_query_examples()
ASKED = [each for each in EXAMPLES if each.request["type"] != "external"]
"""Those that need nothing from outside."""

OF_THE_MOMENT = {"computedAt", "id"}
QUESTION, ANSWER = ({"$ref": f"#/components/schemas/{name}"} for name in ("QueryIn", "Result"))


@pytest.fixture(scope="module")
def shop(server: Server) -> Workspace:
    """A workspace with the events that the examples are about."""
    made = sign_up(server.url)
    assert made.send({"events": EXAMPLE_EVENTS}).status_code == 202
    return made


def name_of(example: QueryExample) -> str:
    return example.name


def lasting(answer: Any) -> Any:
    """An answer without what is different each time."""
    if isinstance(answer, dict):
        return {name: lasting(each) for name, each in answer.items() if name not in OF_THE_MOMENT}
    return [lasting(each) for each in answer] if isinstance(answer, list) else answer


def test_they_stand_in_the_question_and_in_its_answer(document: Any) -> None:
    operation = document["paths"]["/v1/query"]["post"]
    asked = operation["requestBody"]["content"]["application/json"]["examples"]
    answered = operation["responses"]["200"]["content"]["application/json"]["examples"]
    assert list(asked) == list(answered) == [each.name for each in EXAMPLES]
    for each in EXAMPLES:
        assert asked[each.name] == {"summary": each.summary, "value": each.request}
        assert answered[each.name] == {"summary": each.summary, "value": each.answer}


def test_there_is_one_for_each_kind_of_widget_and_of_answer() -> None:
    assert {each.request["type"] for each in EXAMPLES} == set(KINDS)
    kinds = {result.__struct_config__.tag for kind in KINDS.values() for result in kind.results}
    assert {each.answer["kind"] for each in EXAMPLES} == kinds


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
def test_each_is_what_the_schemas_say(document: Any, example: QueryExample) -> None:
    assert wrong(document, QUESTION, example.request) == []
    assert wrong(document, ANSWER, example.answer) == []


@few(10, "example", ASKED, ids=name_of)
def test_the_server_answers_as_the_example_does(document: Any, shop: Workspace, example: QueryExample) -> None:
    with shop.client() as client:
        found = client.post("/v1/query", json=example.request)
    assert found.status_code == 200, found.text
    answer = found.json()
    assert wrong(document, ANSWER, answer) == []
    if example.name == "retention":  # its periods end now
        assert [len(cohort["values"]) for cohort in answer["cohorts"]] == [2, 1]
    else:
        assert lasting(answer) == lasting(example.answer)


def test_the_value_from_outside_is_taken_as_a_widget(shop: Workspace) -> None:
    """Which fetches nothing yet."""
    [example] = [each for each in EXAMPLES if each not in ASKED]
    source = make_external_source(shop, name="Stock", host="api.example.com")
    config = example.request["config"] | {"sourceId": source["id"]}
    with shop.client() as client:
        path = f"/v1/dashboards/{make_dashboard(shop)['id']}/widgets"
        made = client.post(path, json={"type": "external", "config": config})
    assert made.status_code == 201, made.text
