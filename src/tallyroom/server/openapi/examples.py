"""Examples of questions and answers in `examples.json`, all about the same few events, so a test can ask them."""

from importlib.resources import files
from typing import Any

import msgspec

Json = dict[str, Any]


class QueryExample(msgspec.Struct, forbid_unknown_fields=True):
    """The bodies of a request to `POST /v1/query` and of its answer; `summary` says what the reader wants to know."""

    name: str
    summary: str
    request: Json
    answer: Json


def load_query_examples() -> list[QueryExample]:
    """Return the examples of `POST /v1/query`."""
    text = files("tallyroom.server.openapi").joinpath("examples.json").read_bytes()
    return msgspec.json.decode(text, type=list[QueryExample])


def add_query_examples(operation: Json) -> None:
    """Add the examples to an operation that accepts questions, each under the same name in request and answer."""
    examples = load_query_examples()
    request, response = operation["requestBody"], operation["responses"]["200"]
    request["content"]["application/json"]["examples"] = {
        example.name: {"summary": example.summary, "value": example.request} for example in examples
    }
    response["content"]["application/json"]["examples"] = {
        example.name: {"summary": example.summary, "value": example.answer} for example in examples
    }
