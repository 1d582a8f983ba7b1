"""Examples of questions and their answers, one for each kind of widget and each side of a question.

`examples.json` has them. All of them are about the same few events, so a test can ask them.
"""

from importlib.resources import files
from typing import Any

import msgspec

Json = dict[str, Any]


class QueryExample(msgspec.Struct, forbid_unknown_fields=True):
    """A question and its answer.

    Attributes:
        name: of the example.
        summary: what somebody wants to know.
        request: the body of `POST /v1/query`.
        answer: the body of its answer.
    """

    name: str
    summary: str
    request: Json
    answer: Json


def load_query_examples() -> list[QueryExample]:
    """Return the examples of `POST /v1/query`."""
    text = files("tallyroom.server.openapi").joinpath("examples.json").read_bytes()
    return msgspec.json.decode(text, type=list[QueryExample])


def add_query_examples(operation: Json) -> None:
    """Put the examples into an operation that takes questions: each has one name in the request and in the answer."""
    examples = load_query_examples()
    request, response = operation["requestBody"], operation["responses"]["200"]
    request["content"]["application/json"]["examples"] = {
        example.name: {"summary": example.summary, "value": example.request} for example in examples
    }
    response["content"]["application/json"]["examples"] = {
        example.name: {"summary": example.summary, "value": example.answer} for example in examples
    }
