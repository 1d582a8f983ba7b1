"""Bodies are JSON, read strictly, and refused in sentences."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from tallyroom.core.errors import ValidationFailed
from tallyroom.rest.bodies import build_validation_failed, decode_body


class Inner(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    name: Annotated[str, Meta(min_length=1)]
    window_hours: Annotated[int, Meta(ge=1, le=720)] = 1


class Body(msgspec.Struct, forbid_unknown_fields=True):
    items: Annotated[list[Inner], Meta(max_length=2)]
    kind: Literal["a", "b"] = "a"
    flag: bool = False
    free: dict[str, int] = {}
    by: dict[str, Literal["left", "right"]] = {}
    tree: "list[Tree] | None" = None


class Tree(msgspec.Struct, forbid_unknown_fields=True):
    tree: "list[Tree]" = []
    subs: int = 0


@pytest.mark.parametrize(
    ("body", "path", "message"),
    [
        (b'{"items":[{"name":"x"},{}]}', ["items", 1, "name"], "is required"),
        (b'{"items":[{"name":"x","why":1}]}', ["items", 0, "why"], "is not a known field"),
        (
            b'{"items":[{"name":"x","window_hours":1}]}',
            ["items", 0, "window_hours"],
            "is not a known field; did you mean windowHours?",
        ),
        (b'{"itemz":[]}', ["itemz"], "is not a known field; did you mean items?"),
        (b'{"items":[],"tree":[{"tree":[{"flgas":1}]}]}', ["tree", 0, "tree", 0, "flgas"], "is not a known field"),
        (
            b'{"items":[],"tree":[{"tree":[{"sub":1}]}]}',
            ["tree", 0, "tree", 0, "sub"],
            "is not a known field; did you mean subs?",
        ),
        (b'{"items":[],"by":{"x":"c"}}', ["by"], "must be one of left, right, not 'c'"),
        (b'{"items":[],"by":{"x":"Left"}}', ["by"], "must be one of left, right, not 'Left'; did you mean left?"),
        (b'{"items":[{"name":5}]}', ["items", 0, "name"], "must be a string, not an integer"),
        (b'{"items":[{"name":""}]}', ["items", 0, "name"], "must not be empty"),
        (b'{"items":[{"name":"x","windowHours":0}]}', ["items", 0, "windowHours"], "must be 1 or more"),
        (b'{"items":[{"name":"x","windowHours":721}]}', ["items", 0, "windowHours"], "must be 720 or less"),
        (
            b'{"items":[{"name":"x","windowHours":"5"}]}',
            ["items", 0, "windowHours"],
            "must be an integer, not a string",
        ),
        (b'{"items":{}}', ["items"], "must be a list, not an object"),
        (b'{"items":[{},{},{}]}', ["items", 0, "name"], "is required"),
        (b'{"items":[],"kind":"c"}', ["kind"], "must be one of a, b, not 'c'"),
        (b'{"items":[],"flag":1}', ["flag"], "must be true or false, not an integer"),
        (b'{"items":[],"free":{"a":"b"}}', ["free"], "must be an integer, not a string"),
        (b'{"items":[],"a\\nb":1}', ["a\nb"], "is not a known field"),
        (b'{"items":[{"name":"x","n - at `$.m":1}]}', ["items", 0, "n - at `$.m"], "is not a known field"),
        (b'{"items":[],"n - at $.m":1}', ["n - at $.m"], "is not a known field"),
        (b'{"items":[],"kind":"x - at `$.m`"}', ["kind"], "must be one of a, b, not 'x - at `$.m`'"),
        (b'{"items":[],"%b":1}' % (b"x" * 500_000), ["x" * 200 + "…"], "is not a known field"),
        (b'{"items":[],"kind":"%b"}' % (b"x" * 500_000), ["kind"], f"must be one of a, b, not '{'x' * 60}…'"),
        (b"[]", [], "must be an object, not a list"),
        (b"null", [], "must be an object, not null"),
    ],
)
def test_a_refusal_names_the_field(body: bytes, path: list[str | int], message: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        decode_body(body, Body)
    assert [(detail.path, detail.message) for detail in refused.value.details] == [(path, message)]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"{}x", b"\xff", b'{"items":[],"kind":"\xff"}', b"name=x", b"NaN", b'"\\ud800"', b"[" * 100_000],
)
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(ValidationFailed):
        decode_body(body, Body)


def test_an_unknown_sentence_is_passed_on() -> None:
    refused = build_validation_failed("Something new - at `$.a[3].b`")
    assert refused.message == "a[3].b is not valid: Something new"
